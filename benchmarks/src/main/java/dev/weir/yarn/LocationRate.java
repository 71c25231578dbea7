package dev.weir.yarn;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.yarn.lookup.FilesResourceName;
import dev.weir.yarn.lookup.HdfsLocationLookup;
import dev.weir.yarn.lookup.LocationCache;
import dev.weir.yarn.lookup.LocationResult;
import dev.weir.yarn.lookup.LookupThreads;
import dev.weir.yarn.metrics.AskMetrics;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The number of distinct inputs per second that a ResourceManager locates: 10,000 files that were
 * not requested before, on a local cluster of three nodes that is started for it. The class is in
 * the package that it measures, because that is package-private. Prints a Markdown table.
 *
 * <pre>benchmarks/run locations [DISTRIBUTION]</pre>
 */
@NullMarked
public final class LocationRate {
  private static final int FILES = 10_000;
  private static final int ROUNDS = 7;
  private static final int WRITERS = 32;

  private final LocalCluster cluster;
  private final Configuration conf;

  private LocationRate(LocalCluster cluster) {
    this.cluster = cluster;
    this.conf = cluster.configuration();
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    // Only lookups are measured; files with one replica are faster to write.
    conf.setInt("dfs.replication", 1);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 20);
  }

  /**
   * Runs all measurements, which takes about five minutes.
   *
   * @param args the directory of a distribution
   */
  public static void main(String[] args) throws Exception {
    ClusterSpec spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(Path.of(args[0])))
            .nodes(3)
            .hintServices(0)
            .build();
    try (LocalCluster cluster =
        LocalCluster.start(spec, step -> System.err.println("starting: " + step))) {
      new LocationRate(cluster).run();
    }
  }

  private void run() throws Exception {
    System.out.println(
        "| files | in directories | distinct inputs/s: median (minimum, maximum) | calls to the"
            + " NameNode | load |");
    System.out.println("|---|---|---|---|---|");
    List<String> previous = null;
    for (int directories : new int[] {1, 100, FILES}) {
      List<String> paths =
          IntStream.range(0, FILES)
              .mapToObj(i -> "/in" + directories + "/" + i % directories + "/part-" + i)
              .toList();
      put(paths, previous);
      previous = paths;
      List<Double> rates = new ArrayList<>();
      long callsBefore = calls();
      for (int round = 0; round < ROUNDS; round++) {
        rates.add(measure(paths));
      }
      long calls = (calls() - callsBefore) / ROUNDS;
      rates.sort(null);
      System.out.printf(
          Locale.ROOT,
          "| %,d | %,d | %,.0f (%,.0f, %,.0f) | %,d | %.1f |%n",
          FILES,
          directories,
          rates.get(ROUNDS / 2),
          rates.get(0),
          rates.get(ROUNDS - 1),
          calls,
          ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }
  }

  /** Writes the files, or moves existing ones. */
  private void put(List<String> paths, @Nullable List<String> from) throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      List<Future<?>> done = new ArrayList<>();
      for (int first = 0; first < WRITERS; first++) {
        int writer = first;
        done.add(
            writers.submit(
                () -> {
                  for (int i = writer; i < paths.size(); i += WRITERS) {
                    put(fs, paths.get(i), from == null ? null : from.get(i));
                  }
                  return null;
                }));
      }
      for (Future<?> each : done) {
        each.get();
      }
    } finally {
      writers.shutdownNow();
    }
  }

  private static void put(FileSystem fs, String path, @Nullable String from) throws IOException {
    org.apache.hadoop.fs.Path to = new org.apache.hadoop.fs.Path(path);
    if (from == null) {
      try (FSDataOutputStream out = fs.create(to)) {
        out.write(1);
      }
    } else {
      fs.mkdirs(to.getParent());
      if (!fs.rename(new org.apache.hadoop.fs.Path(from), to)) {
        throw new IOException("Cannot move " + from + " to " + to);
      }
    }
  }

  /** Returns the inputs per second with an empty cache. */
  private double measure(List<String> paths) throws Exception {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    HdfsLocationLookup lookup = new HdfsLocationLookup(conf);
    ExecutorService threads = LookupThreads.create();
    long start = System.nanoTime();
    LocationCache cache =
        new LocationCache(
            lookup,
            threads,
            () -> (System.nanoTime() - start) / 1_000_000,
            new AskMetrics(),
            LocationCache.MAX_WEIGHT);
    List<FilesResourceName> names =
        paths.stream().map(path -> FilesResourceName.parse("weir:" + path)).toList();
    names.forEach(name -> cache.locate(user, name));
    for (FilesResourceName name : names) {
      while (!isKnown(cache.locate(user, name))) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    threads.shutdown();
    lookup.close();
    return paths.size() / seconds;
  }

  private static boolean isKnown(LocationResult located) {
    if (located instanceof LocationResult.Unknown unknown) {
      throw new IllegalStateException("a file " + unknown.why().words());
    }
    if (located instanceof LocationResult.Found found && found.bytesByHost().isEmpty()) {
      throw new IllegalStateException("a file has no location");
    }
    return located instanceof LocationResult.Found;
  }

  /** Returns the number of all calls to NameNodes for block locations so far. */
  private long calls() throws IOException, InterruptedException {
    // Hadoop's counters are up to ten seconds old.
    TimeUnit.SECONDS.sleep(12);
    long all = 0;
    for (var bean : cluster.jmx("namenode", "Hadoop:service=NameNode,name=RpcDetailedActivity*")) {
      all += bean.path("GetBlockLocationsNumOps").asLong(0);
      all += bean.path("GetListingNumOps").asLong(0);
      all += bean.path("GetFileInfoNumOps").asLong(0);
    }
    return all;
  }
}
