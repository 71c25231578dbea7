package dev.weir.bench;

import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementBench;
import org.apache.hadoop.hdfs.server.namenode.OpenFile;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The cost of choosing the DataNodes of a block. Batches of stock's and Weir's policy alternate
 * every millisecond or so, so that other load on the machine affects both. One shot consists of
 * many pairs of batches and reports their medians. {@link ChooseTargetReport} runs the benchmark
 * and prints a table.
 *
 * <pre>benchmarks/run placement</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx2g")
@Warmup(iterations = 4)
@Measurement(iterations = 6)
public class ChooseTargetBenchmark {
  /** The length of a shot. */
  private static final long SHOT_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

  private static final int BATCH = 64;

  /** The hint of the files. */
  @Param public PlacementCase hint = PlacementCase.UNHINTED;

  /** The number of DataNodes. */
  @Param({"1000", "10000"})
  public int nodes;

  @Param({"50", "250"})
  public int racks;

  private @Nullable PlacementBench bench;
  private final char[][] paths = new char[PlacementCase.FILES][];
  private final OpenFile[] files = new OpenFile[PlacementCase.FILES];
  private final int[] writers = new int[PlacementCase.FILES];

  /** Starts a NameNode with files that are being written. */
  @Setup
  public void start() throws IOException {
    PlacementBench started = new PlacementBench(nodes, racks, hint.sets(PlacementBench.BLOCK));
    bench = started;
    Random random = new Random(17);
    for (int i = 0; i < PlacementCase.FILES; i++) {
      paths[i] = hint.path(i).toCharArray();
      writers[i] = random.nextInt(nodes);
      files[i] =
          OpenFile.create(
              started.nameNode(), hint.path(i), PlacementBench.BLOCK, PlacementCase.BLOCKS);
    }
  }

  /** Stops the NameNode. */
  @TearDown(Level.Trial)
  public void stop() {
    bench().close();
  }

  /** Runs pairs of batches for one shot. */
  @Benchmark
  public void pairs(Blackhole sink, Medians medians) {
    medians.clear();
    long end = System.nanoTime() + SHOT_NANOS;
    int pair = 0;
    while (System.nanoTime() < end && medians.hasRoom()) {
      boolean stockFirst = (pair & 1) == 0;
      long first = stockFirst ? stock(sink, pair) : weir(sink, pair);
      long second = stockFirst ? weir(sink, pair) : stock(sink, pair);
      medians.add(stockFirst ? first : second, stockFirst ? second : first);
      pair++;
    }
  }

  private PlacementBench bench() {
    return Objects.requireNonNull(bench, "the NameNode is not started");
  }

  private long stock(Blackhole sink, int pair) {
    PlacementBench policies = bench();
    long begin = System.nanoTime();
    for (int i = 0; i < BATCH; i++) {
      int file = file(pair, i);
      files[file].grow();
      sink.consume(policies.stock(new String(paths[file]), hint.targets, writers[file]));
    }
    return System.nanoTime() - begin;
  }

  private long weir(Blackhole sink, int pair) {
    PlacementBench policies = bench();
    long begin = System.nanoTime();
    for (int i = 0; i < BATCH; i++) {
      int file = file(pair, i);
      files[file].grow();
      sink.consume(policies.weir(new String(paths[file]), hint.replicas, writers[file]));
    }
    return System.nanoTime() - begin;
  }

  /** Both batches of a pair use the same files. */
  private static int file(int pair, int i) {
    return (pair * BATCH + i) & (PlacementCase.FILES - 1);
  }

  /** The medians of one shot: nanoseconds per call, and Weir's time divided by stock's. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Medians {
    private static final int MAX_PAIRS = 1 << 16;

    private final double[] stockNanos = new double[MAX_PAIRS];
    private final double[] weirNanos = new double[MAX_PAIRS];
    private final double[] ratios = new double[MAX_PAIRS];
    private int pairs;

    void clear() {
      pairs = 0;
    }

    boolean hasRoom() {
      return pairs < MAX_PAIRS;
    }

    void add(long stockBatch, long weirBatch) {
      stockNanos[pairs] = (double) stockBatch / BATCH;
      weirNanos[pairs] = (double) weirBatch / BATCH;
      ratios[pairs] = (double) weirBatch / stockBatch;
      pairs++;
    }

    /** Stock's nanoseconds per call. */
    public double stock() {
      return median(stockNanos);
    }

    /** Weir's nanoseconds per call. */
    public double weir() {
      return median(weirNanos);
    }

    /** The median of the pairs' ratios. */
    public double ratio() {
      return median(ratios);
    }

    private double median(double[] values) {
      double[] sorted = Arrays.copyOf(values, pairs);
      Arrays.sort(sorted);
      return pairs == 0 ? 0 : sorted[pairs / 2];
    }
  }
}
