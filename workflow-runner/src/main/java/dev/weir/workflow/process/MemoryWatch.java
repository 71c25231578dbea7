package dev.weir.workflow.process;

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
 * Sees now and then how much memory the processes of commands have: the resident pages of a command
 * and of all that it has started and not disowned, pages that they share counted for each, and at
 * least the kernel's own highest mark of any one of them. Thread-safe.
 */
final class MemoryWatch implements AutoCloseable {

  /** Often enough for what a task needs for long; a command that is over before is small change. */
  private static final long PERIOD_MILLIS = 250;

  private static final Logger LOG = LoggerFactory.getLogger(MemoryWatch.class);

  private static final long KIB = 1_024;

  private final Path proc;
  private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService timer;

  private MemoryWatch(Path proc, ScheduledExecutorService timer) {
    this.proc = proc;
    this.timer = timer;
  }

  /** Watches on a thread of its own. */
  static MemoryWatch start() {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "memory-watch");
              thread.setDaemon(true);
              return thread;
            });
    MemoryWatch watch = new MemoryWatch(Path.of("/proc"), timer);
    Future<?> unused =
        timer.scheduleWithFixedDelay(
            watch::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    return watch;
  }

  private void look() {
    for (Watched one : watched) {
      try {
        one.look();
      } catch (RuntimeException | Error e) {
        // It would end the looking at all others, for as long as this worker lives.
        LOG.warn("Cannot look at a command", e);
      }
    }
  }

  /**
   * Watches a command until it is closed.
   *
   * @param leader its first process, as soon as it is known
   * @param lasts called at each look, by the watching thread; must not fail
   */
  Watched watch(CompletableFuture<Long> leader, Runnable lasts) {
    Watched one = new Watched(leader, lasts);
    watched.add(one);
    return one;
  }

  /** How many commands are watched. */
  int watched() {
    return watched.size();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  /** A command. */
  final class Watched implements AutoCloseable {

    private final CompletableFuture<Long> leader;
    private final Runnable lasts;
    private volatile long peakBytes;

    /** Of the watching thread alone: most commands are over before the second look. */
    private boolean seen;

    private Watched(CompletableFuture<Long> leader, Runnable lasts) {
      this.leader = leader;
      this.lasts = lasts;
    }

    /** The most that was seen so far, in bytes; 0 for nothing. */
    long peakBytes() {
      return peakBytes;
    }

    private void look() {
      if (!leader.isDone() || leader.isCompletedExceptionally()) {
        return;
      }
      lasts.run();
      if (!seen) {
        // Thousands of short ones would each be looked at once, for next to nothing.
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

  /** Memory of a process in bytes: what it has, and had at most; nothing of one that has ended. */
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
      return Long.parseLong(line.replaceAll("\\D", "")) * KIB;
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
      // It has ended meanwhile, or the kernel does not list children.
    }
  }
}
