package dev.weir.service.reconcile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.inotify.Event;
import org.apache.hadoop.hdfs.inotify.EventBatch;
import org.apache.hadoop.hdfs.inotify.EventBatchList;
import org.apache.hadoop.hdfs.inotify.MissingEventsException;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.jspecify.annotations.Nullable;

/**
 * The edits of an HDFS by inotify, which only a superuser may read. Calls the NameNode directly:
 * Hadoop's own stream does not expose its position, and restarts silently at a NameNode that is
 * becoming active.
 */
final class HdfsEdits {
  private static final String HINT = "weir.hint";
  private static final long FIRST_PAUSE_MILLIS = 10;

  private final ClientProtocol nameNode;
  private final Deque<EventBatch> read = new ArrayDeque<>();
  private long returned;
  private long lastFetched;
  private long newest;

  /**
   * Consecutive edits.
   *
   * @param transaction id of the last transaction of the edits
   * @param edits the edits, oldest first
   */
  record Batch(long transaction, List<Edit> edits) {
    Batch {
      edits = List.copyOf(edits);
    }
  }

  /** The NameNode has discarded edits that were requested. */
  static final class MissingException extends IOException {
    private static final long serialVersionUID = 1L;

    MissingException(Throwable cause) {
      super(cause);
    }
  }

  /** Creates the source of the edits after a transaction. */
  HdfsEdits(ClientProtocol nameNode, long after) {
    this.nameNode = nameNode;
    this.returned = after;
    this.lastFetched = after;
    this.newest = after;
  }

  static long last(ClientProtocol nameNode) throws IOException {
    long last = nameNode.getCurrentEditLogTxid();
    if (last < 0) {
      throw new IOException("the NameNode is about to become active and writes no edits yet");
    }
    return last;
  }

  /**
   * Returns the next edits.
   *
   * @return null if no edit arrived within the timeout, which does not mean that there is none
   * @throws MissingException if there is a gap before the next edits
   */
  @Nullable Batch next(Duration timeout) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    long pause = FIRST_PAUSE_MILLIS;
    while (read.isEmpty()) {
      if (fetch()) {
        continue;
      }
      returned = lastFetched;
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        return null;
      }
      Thread.sleep(Math.min(left, pause));
      pause *= 2;
    }
    EventBatch batch = read.remove();
    returned = batch.getTxid();
    List<Edit> edits = new ArrayList<>();
    for (Event event : batch.getEvents()) {
      add(event, edits);
    }
    return new Batch(returned, edits);
  }

  /** Fetches edits. Returns whether the NameNode had any. */
  private boolean fetch() throws IOException {
    EventBatchList answer = nameNode.getEditsFromTxid(lastFetched + 1);
    if (answer.getLastTxid() < 0) {
      return false;
    }
    if (answer.getFirstTxid() > lastFetched + 1) {
      throw new MissingException(
          new MissingEventsException(lastFetched + 1, answer.getFirstTxid()));
    }
    lastFetched = answer.getLastTxid();
    newest = Math.max(lastFetched, answer.getSyncTxid());
    read.addAll(answer.getBatches());
    return true;
  }

  /** Returns the transaction up to which all edits were returned. */
  long position() {
    return read.isEmpty() ? lastFetched : returned;
  }

  /** Returns the number of transactions that are not returned yet. */
  long behind() {
    return newest - position();
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
