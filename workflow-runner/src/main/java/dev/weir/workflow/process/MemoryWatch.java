package dev.weir.workflow.process;

import dev.weir.hints.DaemonThreadFactory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples the memory of commands: the resident pages of a command and its descendants, shared pages
 * counted once per process, and at least the kernel's high-water mark of any of them. Thread-safe.
 */
final class MemoryWatch implements AutoCloseable {

  /** Frequent enough for long commands; the memory of a shorter one matters little. */
  private static final long PERIOD_MILLIS = 250;

  private static final Logger LOG = LoggerFactory.getLogger(MemoryWatch.class);

  private static final long BYTES_PER_KIB = 1_024;

  private final Path proc;
  private final Set<WatchedCommand> watched = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService timer;

  private MemoryWatch(Path proc, ScheduledExecutorService timer) {
    this.proc = proc;
    this.timer = timer;
  }

  /** Starts sampling on a thread of its own. */
  static MemoryWatch start() {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(DaemonThreadFactory.named("memory-watch"));
    MemoryWatch watch = new MemoryWatch(Path.of("/proc"), timer);
    Future<?> unused =
        timer.scheduleWithFixedDelay(
            watch::sample, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    return watch;
  }

  private void sample() {
    for (WatchedCommand command : watched) {
      try {
        command.sample();
      } catch (RuntimeException | Error e) {
        // An error for one command must not end the sampling of the others.
        LOG.warn("Cannot sample the memory of a command", e);
      }
    }
  }

  /**
   * Watches a command until the result is closed.
   *
   * @param leader its first process, once it is known
   * @param onSample called at each sample by the watching thread; must not throw
   */
  WatchedCommand watch(CompletableFuture<Long> leader, Runnable onSample) {
    WatchedCommand command = new WatchedCommand(leader, onSample);
    watched.add(command);
    return command;
  }

  /** Returns the number of watched commands. */
  int watched() {
    return watched.size();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  /** A watched command. */
  final class WatchedCommand implements AutoCloseable {

    private final CompletableFuture<Long> leader;
    private final Runnable onSample;
    private volatile long peakBytes;

    /** Confined to the watching thread. */
    private boolean seen;

    private WatchedCommand(CompletableFuture<Long> leader, Runnable onSample) {
      this.leader = leader;
      this.onSample = onSample;
    }

    /** Returns the largest sample so far, in bytes; 0 for none. */
    long peakBytes() {
      return peakBytes;
    }

    private void sample() {
      if (!leader.isDone() || leader.isCompletedExceptionally()) {
        return;
      }
      onSample.run();
      if (!seen) {
        // The first sample is skipped: most commands end before the second one.
        seen = true;
        return;
      }
      long sum = 0;
      Deque<Long> open = new ArrayDeque<>();
      open.add(leader.join());
      while (!open.isEmpty()) {
        Path process = proc.resolve(Long.toString(open.remove()));
        Memory memory = Memory.of(process);
        sum += memory.now();
        peakBytes = Math.max(peakBytes, Math.max(sum, memory.highest()));
        children(process, open);
      }
    }

    @Override
    public void close() {
      watched.remove(this);
    }
  }

  /** Current and highest memory of a process in bytes; 0 after its end. */
  private record Memory(long now, long highest) {

    static Memory of(Path process) {
      long now = 0;
      long highest = 0;
      try {
        for (String line : Files.readAllLines(process.resolve("status"))) {
          if (line.startsWith("VmRSS:")) {
            now = kibibytes(line);
          } else if (line.startsWith("VmHWM:")) {
            highest = kibibytes(line);
          }
        }
      } catch (IOException | NumberFormatException e) {
        return new Memory(0, 0);
      }
      return new Memory(now, highest);
    }

    private static long kibibytes(String line) {
      return Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KIB;
    }
  }

  private static void children(Path process, Deque<Long> into) {
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
      for (Path thread : threads) {
        for (String child : Files.readString(thread.resolve("children")).split("\\s+", -1)) {
          if (!child.isEmpty()) {
            into.add(Long.parseLong(child));
          }
        }
      }
    } catch (IOException | RuntimeException e) {
      // The process has ended, or the kernel does not list children.
    }
  }
}
