package dev.weir.workflow.transfer;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TemporaryName;
import dev.weir.workflow.sandbox.Sandbox;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the outputs of a command under their temporary names while the command still writes them.
 * An output that is written sequentially, as most are, is almost stored when the command ends. Then
 * the stored part is compared with the file by checksum; an output that the command rewrote is
 * stored again. Readers see nothing before the commit.
 *
 * <p>Late or small outputs cost nothing: a file is followed once the command has run for a while
 * and the file has some length. Outputs named like one that had to be stored again are not followed
 * any more, because their programs do not write sequentially.
 */
public final class WriteBehind implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WriteBehind.class);

  /** Most commands end before this delay; their outputs are stored afterwards. */
  private static final long DELAY_MILLIS = 300;

  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final long POLL_MILLIS = 50;
  private static final long MIN_BYTES = 1 << 20;
  private static final int BUFFER_BYTES = 256 << 10;

  private final DataStore store;
  private final TaskOrder order;
  private final Shared shared;
  private final Map<String, Followed> outputs = new LinkedHashMap<>();

  /** Null until the command has run for a while. */
  private @Nullable Thread thread;

  /** Used in place of an interrupt, which would break a stream to HDFS midway. */
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * State shared by the attempts of a worker.
   *
   * @param rewritten name patterns of outputs that had to be stored again; thread-safe, grows
   * @param streams permits for open streams. Each has packets of its own, 5 MB when HDFS is slow,
   *     so further outputs are stored after their commands
   */
  public record Shared(Set<String> rewritten, Semaphore streams) {

    private static final int MAX_STREAMS = 8;

    /** Creates the initial state of a worker. */
    public Shared() {
      this(ConcurrentHashMap.newKeySet(), new Semaphore(MAX_STREAMS));
    }
  }

  private WriteBehind(DataStore store, TaskOrder order, Sandbox sandbox, Shared shared) {
    this.store = store;
    this.order = order;
    this.shared = shared;
    for (FileSlot output : order.outputs()) {
      if (output.kind() != FileSlot.Kind.KEPT && output.kind() != FileSlot.Kind.GLOB) {
        outputs.put(output.name(), new Followed(output, sandbox.file(output.name())));
      }
    }
  }

  /** Starts to follow the outputs of a command that is about to start. */
  public static WriteBehind start(
      DataStore store, TaskOrder order, Sandbox sandbox, Shared shared) {
    WriteBehind writer = new WriteBehind(store, order, sandbox, shared);
    if (writer.outputs.values().stream().anyMatch(output -> !output.abandoned)) {
      CompletableFuture.delayedExecutor(DELAY_MILLIS, TimeUnit.MILLISECONDS, Runnable::run)
          .execute(writer::begin);
    }
    return writer;
  }

  /** Creates the thread only now: most commands have ended by this time. */
  private synchronized void begin() {
    if (ended.getCount() > 0) {
      Thread fresh = new Thread(this::follow, "write-behind-" + order.task());
      fresh.setDaemon(true);
      fresh.start();
      thread = fresh;
    }
  }

  private void follow() {
    // One buffer for all outputs, of which a task may have thousands.
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      while (ended.getCount() > 0) {
        for (Followed output : outputs.values()) {
          output.advance(buffer);
        }
        boolean unused = ended.await(POLL_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      LOG.debug("Stopped following the outputs of task {}", order.task());
    } catch (RuntimeException e) {
      // They are then stored when the command has ended.
      LOG.warn(
          "Cannot follow the outputs of task {}; they are stored after the command",
          order.task(),
          e);
    }
  }

  /** Stops to follow the outputs, because the command has ended. */
  public void commandEnded() throws InterruptedException {
    Thread follower;
    synchronized (this) {
      ended.countDown();
      follower = thread;
    }
    if (follower != null) {
      follower.join();
    }
  }

  /**
   * Stores the rest of an output that is partly stored.
   *
   * @return what was stored; empty when nothing was stored, the stored part is outdated, or the
   *     rest cannot be appended
   */
  public Optional<DataStore.Stored> finish(FileSlot output) throws IOException {
    Followed followed = outputs.get(output.name());
    return followed == null ? Optional.empty() : followed.finish();
  }

  @Override
  public void close() {
    ended.countDown();
    outputs.values().forEach(Followed::abandon);
  }

  /** An output while it grows. */
  private final class Followed {
    private final FileSlot slot;
    private final Path file;

    /** Name pattern: outputs of similar tasks mostly differ in numbers. */
    private final String pattern;

    private final CRC32C crc = new CRC32C();
    private DataStore.@Nullable Writing writing;
    private long stored;
    private boolean abandoned;

    Followed(FileSlot slot, Path file) {
      this.slot = slot;
      this.file = file;
      this.pattern = NUMBER.matcher(slot.name()).replaceAll("#");
      this.abandoned = shared.rewritten().contains(pattern);
    }

    synchronized void advance(byte[] buffer) {
      try {
        if (!abandoned && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          long size = Files.size(file);
          if (size - stored >= (writing == null ? MIN_BYTES : BUFFER_BYTES) && ensureOpen()) {
            store(buffer, size - size % BUFFER_BYTES, true);
          }
        }
      } catch (IOException e) {
        LOG.debug("Cannot follow {}; it is stored after its command", slot.name(), e);
        abandon();
      }
    }

    /** Returns whether there is a stream to HDFS, opening one if a permit is free. */
    private boolean ensureOpen() throws IOException {
      if (writing == null && shared.streams().tryAcquire()) {
        try {
          writing = store.begin(TemporaryName.of(slot, order.label()));
        } finally {
          if (writing == null) {
            shared.streams().release();
          }
        }
      }
      return writing != null;
    }

    /** Stores the file up to this position, or until the command ends. */
    private void store(byte[] buffer, long end, boolean untilCommandEnds) throws IOException {
      DataStore.Writing out = Objects.requireNonNull(writing);
      try (FileChannel in = FileChannel.open(file)) {
        in.position(stored);
        while (stored < end && !(untilCommandEnds && ended.getCount() == 0)) {
          int most = (int) Math.min(buffer.length, end - stored);
          int length = in.read(ByteBuffer.wrap(buffer, 0, most));
          if (length < 0) {
            throw new IOException(file + " has become shorter");
          }
          crc.update(buffer, 0, length);
          out.write(buffer, length);
          stored += length;
        }
      }
    }

    synchronized Optional<DataStore.Stored> finish() throws IOException {
      DataStore.Writing complete = writing;
      if (complete == null || abandoned) {
        return Optional.empty();
      }
      byte[] buffer = new byte[BUFFER_BYTES];
      if (Files.size(file) < stored || !isUnchanged(buffer)) {
        LOG.info("{} was rewritten by its command; storing it again", slot.name());
        shared.rewritten().add(pattern);
        abandon();
        return Optional.empty();
      }
      try {
        store(buffer, Files.size(file), false);
        writing = null;
        try (complete) {
          return Optional.of(complete.finish());
        } finally {
          shared.streams().release();
        }
      } catch (IOException e) {
        // HDFS may be in safe mode for some time, or a DataNode may have failed: a new stream may
        // succeed.
        LOG.info("Cannot complete {}; storing it again", slot.name(), e);
        abandon();
        complete.close();
        return Optional.empty();
      }
    }

    private boolean isUnchanged(byte[] buffer) throws IOException {
      CRC32C now = new CRC32C();
      try (FileChannel in = FileChannel.open(file)) {
        long left = stored;
        while (left > 0) {
          int most = (int) Math.min(buffer.length, left);
          int length = in.read(ByteBuffer.wrap(buffer, 0, most));
          if (length < 0) {
            return false;
          }
          now.update(buffer, 0, length);
          left -= length;
        }
      }
      return now.getValue() == crc.getValue();
    }

    synchronized void abandon() {
      abandoned = true;
      DataStore.Writing unfinished = writing;
      writing = null;
      if (unfinished != null) {
        shared.streams().release();
        unfinished.close();
      }
    }
  }
}
