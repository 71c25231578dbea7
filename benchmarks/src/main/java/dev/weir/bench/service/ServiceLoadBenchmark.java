package dev.weir.bench.service;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.WriteOptions;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.HintsServiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The load of many concurrent clients on the hints service, on a local cluster of two nodes that is
 * started for it. All changes are read back. The user is not an administrator, so the service asks
 * the NameNode about each change.
 *
 * <pre>java … dev.weir.bench.service.ServiceLoadBenchmark DISTRIBUTION [CLIENTS [SECONDS [CSV]]]
 * </pre>
 */
public final class ServiceLoadBenchmark {
  static final String DIRECTORY = "/load";
  private static final String USER = "load";
  private static final int FILES = 20;
  private static final int FILE_BYTES = 100_000;
  private static final String TABLE = "%-6s %8d %8.0f/s  p50 %7.1f ms  p99 %7.1f ms  max %7.1f ms";
  private static final String CSV = "%s,%d,%.1f,%.2f,%.2f,%.2f";

  private final LocalCluster cluster;
  private final int clients;
  private final int seconds;

  private ServiceLoadBenchmark(LocalCluster cluster, int clients, int seconds) {
    this.cluster = cluster;
    this.clients = clients;
    this.seconds = seconds;
  }

  /**
   * Runs and prints a table. The exit code is 1 if a request failed or an update was lost.
   *
   * @param args the directory of a distribution, the number of clients, the seconds, and the CSV
   *     file of the table
   */
  public static void main(String[] args) throws Exception {
    int clients = args.length > 1 ? Integer.parseInt(args[1]) : 32;
    int seconds = args.length > 2 ? Integer.parseInt(args[2]) : 60;
    ClusterSpec spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(Path.of(args[0]))).nodes(2).build();
    int lost;
    try (LocalCluster cluster =
        LocalCluster.start(spec, step -> System.out.println("starting: " + step))) {
      lost =
          new ServiceLoadBenchmark(cluster, clients, seconds).run(args.length > 3 ? args[3] : "");
    }
    System.exit(lost == 0 ? 0 : 1);
  }

  private int run(String csv) throws Exception {
    Configuration conf = cluster.configuration();
    List<String> files = prepare(conf);
    UserGroupInformation user = UserGroupInformation.createRemoteUser(USER);
    List<HintsClient> services = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      services.add(HintsClient.open(conf, ClientSettings.from(conf), user));
    }
    services.get(0).putSet(LoadClient.sharedSet(USER), WriteOptions.NONE);
    List<String> ranked = ranks(services.get(0), files) ? files : List.of();

    long started = System.nanoTime();
    long deadline = started + TimeUnit.SECONDS.toNanos(seconds);
    List<LoadClient> load = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      load.add(new LoadClient(services.get(i), i, USER, ranked, deadline));
    }
    runAll(load);
    double elapsed = (System.nanoTime() - started) / 1e9;
    int lost = 0;
    for (LoadClient client : load) {
      lost += client.lost();
    }
    print(load, elapsed, csv);
    System.out.println("lost updates: " + lost);
    services.forEach(HintsClient::close);
    return lost;
  }

  private List<String> prepare(Configuration conf) throws IOException {
    List<String> files = new ArrayList<>();
    try (FileSystem hdfs = FileSystem.newInstance(conf)) {
      org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path(DIRECTORY);
      hdfs.mkdirs(directory);
      for (int i = 0; i < FILES; i++) {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(directory, "input-" + i);
        try (FSDataOutputStream out = hdfs.create(file)) {
          out.write(new byte[FILE_BYTES]);
        }
        files.add(file.toUri().getPath());
      }
      hdfs.setOwner(directory, USER, USER);
    }
    return files;
  }

  private static boolean ranks(HintsClient service, List<String> files) throws IOException {
    try {
      service.rank(files, 3);
      return true;
    } catch (HintsServiceException e) {
      System.out.println("this service does not rank nodes: " + e.getMessage());
      return false;
    }
  }

  private static void runAll(List<LoadClient> load) throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(load.size());
    try {
      for (Future<Void> each : threads.invokeAll(load)) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a request failed: " + e.getCause(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void print(List<LoadClient> load, double elapsed, String csv) throws IOException {
    List<String> lines = new ArrayList<>(List.of("kind,requests,per-second,p50-ms,p99-ms,max-ms"));
    LatencyStatistics all = new LatencyStatistics();
    for (LoadClient.Kind kind : LoadClient.Kind.values()) {
      LatencyStatistics sum = new LatencyStatistics();
      load.forEach(client -> sum.addAll(client.latencies(kind)));
      all.addAll(sum);
      System.out.println(sum.line(TABLE, kind.name(), elapsed));
      lines.add(sum.line(CSV, kind.name(), elapsed));
    }
    System.out.println(all.line(TABLE, "all", elapsed));
    lines.add(all.line(CSV, "all", elapsed));
    if (!csv.isEmpty()) {
      Files.write(Path.of(csv), lines);
    }
  }
}
