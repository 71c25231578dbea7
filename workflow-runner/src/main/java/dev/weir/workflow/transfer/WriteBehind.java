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
 * Stores the outputs of a command under their temporary names while it still writes them: what it
 * writes from the beginning to the end, as most programs do, is on its way when it ends. When it
 * has ended, what was stored is compared with what it left, by checksum; an output that it went
 * back to is stored anew. Nothing of it can be seen before the commit.
 *
 * <p>Outputs that come late or are small cost nothing: a file is followed once the command has run
 * for a while and the file has some length. Outputs like one that had to be stored anew are not
 * followed any more: their programs write in some other order.
 */
public final class WriteBehind implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WriteBehind.class);

  /** Most commands are over before that, and their outputs are stored after them. */
  private static final long DELAY_MILLIS = 300;

  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final long POLL_MILLIS = 50;
  private static final long LEAST_BYTES = 1 << 20;
  private static final int BUFFER_BYTES = 256 << 10;

  private final DataStore store;
  private final TaskOrder order;
  private final Shared shared;
  private final Map<String, Followed> outputs = new LinkedHashMap<>();

  /** Null until the command has run for a while. */
  private @Nullable Thread thread;

  /** No interrupt, which would break a stream to HDFS in the middle. */
  private final CountDownLatch over = new CountDownLatch(1);

  /**
   * What the attempts of a worker have in common.
   *
   * @param rewritten what outputs look like that had to be stored anew; added to, thread-safe
   * @param streams how many more may be begun; each has packets of its own, 5 MB when HDFS is slow,
   *     so further outputs are stored when their commands have ended
   */
  public record Shared(Set<String> rewritten, Semaphore streams) {

    private static final int MOST_STREAMS = 8;

    /** Of a worker that has not begun anything. */
    public Shared() {
      this(ConcurrentHashMap.newKeySet(), new Semaphore(MOST_STREAMS));
    }
  }

  private WriteBehind(DataStore store, TaskOrder order, Sandbox sandbox, Shared shared) {
    this.store = store;
    this.order = order;
    this.shared = shared;
    for (FileSlot output : order.outputs()) {
      outputs.put(output.name(), new Followed(output, sandbox.file(output.name())));
    }
  }

  /**
   * Begins to follow the outputs of a command that is about to start.
   *
   * @param shared what all attempts of the worker share
   */
  public static WriteBehind start(
      DataStore store, TaskOrder order, Sandbox sandbox, Shared shared) {
    WriteBehind behind = new WriteBehind(store, order, sandbox, shared);
    if (behind.outputs.values().stream().anyMatch(output -> !output.hopeless)) {
      CompletableFuture.delayedExecutor(DELAY_MILLIS, TimeUnit.MILLISECONDS, Runnable::run)
          .execute(behind::begin);
    }
    return behind;
  }

  /** Most commands are over by now, and cost no thread. */
  private synchronized void begin() {
    if (over.getCount() > 0) {
      Thread fresh = new Thread(this::follow, "write-behind-" + order.task());
      fresh.setDaemon(true);
      fresh.start();
      thread = fresh;
    }
  }

  private void follow() {
    // One for all outputs, of which a task may have thousands.
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      while (over.getCount() > 0) {
        for (Followed output : outputs.values()) {
          output.advance(buffer);
        }
        boolean unused = over.await(POLL_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      LOG.debug("Task {} is not followed any more", order.task());
    } catch (RuntimeException e) {
      // Then they are stored when the command has ended, as without this.
      LOG.warn("The outputs of task {} are not followed any more", order.task(), e);
    }
  }

  /** The command has ended: nothing is followed from now on. */
  public void commandEnded() throws InterruptedException {
    Thread following;
    synchronized (this) {
      over.countDown();
      following = thread;
    }
    if (following != null) {
      following.join();
    }
  }

  /**
   * Stores the rest of an output of which a part is stored already.
   *
   * @return what was stored; empty when nothing of it is stored, or not what it is now, or the rest
   *     cannot be stored after it
   * @throws IOException when the output cannot be read
   */
  public Optional<DataStore.Stored> finish(FileSlot output) throws IOException {
    Followed followed = outputs.get(output.name());
    return followed == null ? Optional.empty() : followed.finish();
  }

  @Override
  public void close() {
    over.countDown();
    outputs.values().forEach(Followed::giveUp);
  }

  /** An output while it grows. */
  private final class Followed {
    private final FileSlot slot;
    private final Path file;

    /** Outputs of tasks of one kind mostly differ in numbers. */
    private final String like;

    private final CRC32C crc = new CRC32C();
    private DataStore.@Nullable Writing writing;
    private long stored;
    private boolean hopeless;

    Followed(FileSlot slot, Path file) {
      this.slot = slot;
      this.file = file;
      this.like = NUMBER.matcher(slot.name()).replaceAll("#");
      this.hopeless = shared.rewritten().contains(like);
    }

    synchronized void advance(byte[] buffer) {
      try {
        if (!hopeless && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          long size = Files.size(file);
          if (size - stored >= (writing == null ? LEAST_BYTES : BUFFER_BYTES) && begun()) {
            store(buffer, size - size % BUFFER_BYTES, true);
          }
        }
      } catch (IOException e) {
        LOG.debug("{} is stored after its command", slot.name(), e);
        giveUp();
      }
    }

    /** Whether there is a stream to HDFS, or one may be begun. */
    private boolean begun() throws IOException {
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

    /** Stores what the file has up to there, or until the command has ended. */
    private void store(byte[] buffer, long end, boolean whileItRuns) throws IOException {
      DataStore.Writing out = Objects.requireNonNull(writing);
      try (FileChannel in = FileChannel.open(file)) {
        in.position(stored);
        while (stored < end && !(whileItRuns && over.getCount() == 0)) {
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
      if (complete == null || hopeless) {
        return Optional.empty();
      }
      byte[] buffer = new byte[BUFFER_BYTES];
      if (Files.size(file) < stored || !isAsStored(buffer)) {
        LOG.info("{} was changed after it was written; it is stored anew", slot.name());
        shared.rewritten().add(like);
        giveUp();
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
        // HDFS may be in safe mode for a time, or a DataNode be gone: to begin anew may do.
        LOG.info("{} could not be stored to its end; it is stored anew", slot.name(), e);
        giveUp();
        complete.close();
        return Optional.empty();
      }
    }

    private boolean isAsStored(byte[] buffer) throws IOException {
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

    synchronized void giveUp() {
      hopeless = true;
      DataStore.Writing unfinished = writing;
      writing = null;
      if (unfinished != null) {
        shared.streams().release();
        unfinished.close();
      }
    }
  }
}
