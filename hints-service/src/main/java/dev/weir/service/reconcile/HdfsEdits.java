package dev.weir.service.reconcile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.DFSInotifyEventInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.inotify.Event;
import org.apache.hadoop.hdfs.inotify.EventBatch;
import org.apache.hadoop.hdfs.inotify.MissingEventsException;
import org.jspecify.annotations.Nullable;

/** The edits of an HDFS through inotify, which is for its superuser. */
final class HdfsEdits implements EditSource {
  private static final String HINT = "weir.hint";

  private final DFSInotifyEventInputStream stream;

  private HdfsEdits(DFSInotifyEventInputStream stream) {
    this.stream = stream;
  }

  static Opener opener(DistributedFileSystem fs) {
    return new Opener() {
      @Override
      public EditSource after(long transaction) throws IOException {
        return new HdfsEdits(fs.getInotifyEventStream(transaction));
      }

      @Override
      public long last() throws IOException {
        return fs.getClient().getNamenode().getCurrentEditLogTxid();
      }
    };
  }

  @Override
  public @Nullable Batch next(Duration timeout) throws IOException, InterruptedException {
    try {
      EventBatch batch = stream.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
      if (batch == null) {
        return null;
      }
      List<Edit> edits = new ArrayList<>();
      for (Event event : batch.getEvents()) {
        add(event, edits);
      }
      return new Batch(batch.getTxid(), edits);
    } catch (MissingEventsException e) {
      throw new MissingException(e);
    }
  }

  @Override
  public long behind() {
    return Math.max(0, stream.getTxidsBehindEstimate());
  }

  private static void add(Event event, List<Edit> edits) {
    if (event instanceof Event.CreateEvent created) {
      if (created.getiNodeType() == Event.CreateEvent.INodeType.FILE) {
        edits.add(
            new Edit.Created(
                created.getPath(),
                Instant.ofEpochMilli(created.getCtime()),
                created.getReplication()));
      }
    } else if (event instanceof Event.CloseEvent closed) {
      edits.add(new Edit.Closed(closed.getPath()));
    } else if (event instanceof Event.RenameEvent renamed) {
      edits.add(new Edit.Renamed(renamed.getSrcPath(), renamed.getDstPath()));
    } else if (event instanceof Event.UnlinkEvent removed) {
      edits.add(new Edit.Removed(removed.getPath(), Instant.ofEpochMilli(removed.getTimestamp())));
    } else if (event instanceof Event.MetadataUpdateEvent changed) {
      addHint(changed, edits);
    }
  }

  private static void addHint(Event.MetadataUpdateEvent changed, List<Edit> edits) {
    if (changed.getMetadataType() != Event.MetadataUpdateEvent.MetadataType.XATTRS) {
      return;
    }
    for (XAttr attribute : changed.getxAttrs()) {
      if (attribute.getNameSpace() == XAttr.NameSpace.USER && HINT.equals(attribute.getName())) {
        byte[] value = attribute.getValue();
        boolean removed = changed.isxAttrsRemoved() || value == null;
        edits.add(
            new Edit.Hinted(
                changed.getPath(), removed ? null : new String(value, StandardCharsets.UTF_8)));
      }
    }
  }
}
