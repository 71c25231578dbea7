package dev.weir.bench.reads;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.hdfs.WeirFileSystem;
import dev.weir.hdfs.read.StripedReadConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * Measures how long one reader, and eight at once, need for files of three replicas. The links of
 * the four nodes are limited, the reader's is not. Stock streams and those of {@link
 * WeirFileSystem} take turns. Prints a Markdown table.
 *
 * <pre>benchmarks/run reads [DISTRIBUTION [LINK [MIB [REPETITIONS]]]]</pre>
 */
public final class ReplicaReadsExperiment {
  private static final int NODES = 4;
  private static final short REPLICAS = 3;
  private static final int READERS = 8;
  private static final int BUFFER_BYTES = 128 << 10;
  private static final long BLOCK_BYTES = 128L << 20;
  private static final double NANOS_PER_SECOND = 1e9;

  private final LocalCluster cluster;
  private final int mebibytes;

  private ReplicaReadsExperiment(LocalCluster cluster, int mebibytes) {
    this.cluster = cluster;
    this.mebibytes = mebibytes;
  }

  /**
   * Measures and prints.
   *
   * @param args the directory of a distribution, the rate of the nodes' links such as {@code
   *     100mbit}, the size of a file in MiB, and the number of repetitions
   */
  public static void main(String[] args) throws Exception {
    String link = args.length > 1 ? args[1] : "100mbit";
    int mebibytes = args.length > 2 ? Integer.parseInt(args[2]) : 256;
    int repetitions = args.length > 3 ? Integer.parseInt(args[3]) : 5;
    ClusterSpec spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(Path.of(args[0])))
            .nodes(NODES)
            .hintServices(0)
            .link(LinkRate.parse(link))
            .build();
    try (LocalCluster cluster =
        LocalCluster.start(spec, step -> System.err.println("starting: " + step))) {
      System.out.println("| link | readers | stock, s | weir, s | stock ÷ weir, medians |");
      System.out.println("|---|---|---|---|---|");
      new ReplicaReadsExperiment(cluster, mebibytes).run(link, repetitions);
    }
  }

  private void run(String link, int repetitions) throws Exception {
    try (FileSystem stock = fileSystem(false);
        FileSystem weir = fileSystem(true)) {
      write(stock);
      for (int readers : new int[] {1, READERS}) {
        List<Double> stockSeconds = new ArrayList<>();
        List<Double> weirSeconds = new ArrayList<>();
        for (int i = 0; i < repetitions; i++) {
          stockSeconds.add(seconds(stock, readers));
          weirSeconds.add(seconds(weir, readers));
          System.err.println(readers + " readers: " + stockSeconds + " " + weirSeconds);
        }
        System.out.printf(
            Locale.ROOT,
            "| %s | %d | %s | %s | %.2f |%n",
            link,
            readers,
            list(stockSeconds),
            list(weirSeconds),
            median(stockSeconds) / median(weirSeconds));
      }
    }
  }

  private FileSystem fileSystem(boolean striped) throws IOException {
    Configuration conf = new Configuration(cluster.configuration());
    conf.set("fs.hdfs.impl", WeirFileSystem.class.getName());
    conf.setBoolean(StripedReadConfig.ENABLED_KEY, striped);
    return FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
  }

  private void write(FileSystem fs) throws IOException {
    byte[] mebibyte = new byte[1 << 20];
    new Random(7).nextBytes(mebibyte);
    for (int i = 0; i < READERS; i++) {
      try (FSDataOutputStream out = fs.create(file(i), true, BUFFER_BYTES, REPLICAS, BLOCK_BYTES)) {
        for (int written = 0; written < mebibytes; written++) {
          out.write(mebibyte);
        }
      }
      System.err.println("wrote " + file(i));
    }
  }

  /** Returns the seconds until all readers have read a file each. */
  private double seconds(FileSystem fs, int readers) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(readers);
    long start = System.nanoTime();
    try {
      List<Future<Long>> reads = new ArrayList<>();
      for (int i = 0; i < readers; i++) {
        org.apache.hadoop.fs.Path file = file(i);
        reads.add(threads.submit(() -> read(fs, file)));
      }
      for (Future<Long> each : reads) {
        if (each.get() != (long) mebibytes << 20) {
          throw new IOException("a file was not read completely");
        }
      }
    } finally {
      threads.shutdownNow();
    }
    return (System.nanoTime() - start) / NANOS_PER_SECOND;
  }

  private static long read(FileSystem fs, org.apache.hadoop.fs.Path file) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long length = 0;
    try (FSDataInputStream in = fs.open(file)) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        length += count;
      }
    }
    return length;
  }

  private static org.apache.hadoop.fs.Path file(int number) {
    return new org.apache.hadoop.fs.Path("/reads-" + number);
  }

  private static String list(List<Double> seconds) {
    return seconds.stream()
        .map(each -> String.format(Locale.ROOT, "%.1f", each))
        .collect(Collectors.joining(", "));
  }

  private static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }
}
