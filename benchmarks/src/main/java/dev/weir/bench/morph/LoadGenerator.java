package dev.weir.bench.morph;

import dev.weir.bench.disks.DiskCounters;
import dev.weir.bench.disks.ThrottledDisks;
import dev.weir.bench.measure.StepTimer;
import dev.weir.bench.morph.AccessPattern.Operation;
import dev.weir.bench.morph.MorphRun.LoadLevel;
import dev.weir.bench.morph.MorphRun.Moved;
import dev.weir.bench.morph.MorphRun.Operations;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** Threads that read and write the files of a run, each one operation after another. */
final class LoadGenerator {
  /** Accesses are not measured before caches and connections are as they stay. */
  private static final int RAMP_DIVISOR = 5;

  private static final int MOST_FAILING = 10;
  private static final int MOST_THREADS = 1000;

  private final MorphFiles files;
  private final AccessPattern pattern;
  private final ThrottledDisks disks;

  LoadGenerator(MorphFiles files, AccessPattern pattern, ThrottledDisks disks) {
    this.files = files;
    this.pattern = pattern;
    this.disks = disks;
  }

  /** The counts of one level. */
  private static final class Counts {
    private final LongAdder read = new LongAdder();
    private final LongAdder written = new LongAdder();
    private final LongAdder operations = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private volatile boolean stopped;
    private volatile IOException lastFailure = new IOException("No operation has failed");
  }

  /**
   * Measures a level.
   *
   * @param seed of the operations
   * @throws IOException if a tenth of the operations fails, or the disks were not limited
   */
  LoadLevel measure(int threads, Duration time, long seed)
      throws IOException, InterruptedException {
    Counts counts = new Counts();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Supplier<Operation> operations = pattern.operations(seed * MOST_THREADS + i);
        running.add(pool.submit(() -> loop(operations, counts)));
      }
      TimeUnit.MILLISECONDS.sleep(time.dividedBy(RAMP_DIVISOR).toMillis());
      LoadLevel level = sample(threads, time, counts);
      counts.stopped = true;
      for (Future<?> one : running) {
        await(one);
      }
      Operations done = level.operations();
      if (done.failed() * MOST_FAILING > done.ended() + MOST_FAILING) {
        throw new IOException(
            done.failed() + " of " + done.ended() + " operations failed", counts.lastFailure);
      }
      return level;
    } finally {
      counts.stopped = true;
      pool.shutdown();
    }
  }

  private LoadLevel sample(int threads, Duration time, Counts counts)
      throws IOException, InterruptedException {
    StepTimer timer = StepTimer.begin();
    DiskCounters before = disks.counters();
    long read = counts.read.sum();
    long written = counts.written.sum();
    TimeUnit.MILLISECONDS.sleep(time.toMillis());
    Moved moved = new Moved(counts.read.sum() - read, counts.written.sum() - written);
    DiskCounters done = disks.counters().since(before);
    return new LoadLevel(
        threads,
        timer.next(),
        moved,
        done,
        new Operations(counts.operations.sum(), counts.failures.sum()));
  }

  private static void await(Future<?> one) throws IOException, InterruptedException {
    try {
      one.get();
    } catch (ExecutionException e) {
      throw new IOException("A thread of the load has failed", e.getCause());
    }
  }

  private void loop(Supplier<Operation> operations, Counts counts) {
    while (!counts.stopped) {
      try {
        run(operations.get(), counts);
      } catch (IOException e) {
        // A file may be replaced while it is read.
        counts.lastFailure = e;
        counts.failures.increment();
      }
      counts.operations.increment();
    }
  }

  private void run(Operation operation, Counts counts) throws IOException {
    if (operation.isWrite()) {
      write(operation.file(), counts.written::add);
    } else {
      files.read(operation.file(), counts.read::add, () -> counts.stopped);
    }
  }

  private void write(int file, LongConsumer progress) throws IOException {
    if (pattern.workload().replaces()) {
      files.write(file, progress);
    } else {
      files.append(file, Math.round(files.bytes() * pattern.workload().writtenPart()), progress);
    }
  }

  /**
   * Makes operations for the NameNode to count. Reads only open the file.
   *
   * @param seed of the operations
   */
  void train(int operations, long seed) throws IOException {
    Supplier<Operation> drawn = pattern.operations(seed);
    for (int i = 0; i < operations; i++) {
      Operation next = drawn.get();
      if (next.isWrite()) {
        write(next.file(), bytes -> {});
      } else {
        files.open(next.file());
      }
    }
  }
}
