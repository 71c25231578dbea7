package dev.weir.bench.yarn;

import dev.weir.bench.yarn.SequentialApplication.Answer;
import dev.weir.bench.yarn.SequentialApplication.HeldFile;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.NodeInfo;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;

/**
 * The nodes of containers that an application requests one at a time, each for a file on a single
 * node. It runs on a local cluster of eight nodes that is started for it, at half and at nine
 * tenths of its use, under each scheduler, with Weir (the application names the file) and without
 * (it names the node). Prints a Markdown table.
 *
 * <pre>benchmarks/run locality [DISTRIBUTION]</pre>
 */
public final class LocalityExperiment {
  private static final int NODES = 8;
  private static final int PER_NODE = 20;
  private static final int CONTAINER_MB = 1024;
  private static final int APPLICATIONS = 4;
  private static final int ASKS = 200;
  private static final long BACKGROUND_MILLIS = 10_000;
  private static final Resource SIZE = Resource.newInstance(CONTAINER_MB, 1);

  private final LocalCluster cluster;
  private final List<HeldFile> files;

  private LocalityExperiment(LocalCluster cluster, List<HeldFile> files) {
    this.cluster = cluster;
    this.files = files;
  }

  /**
   * Runs all measurements, which takes about fifteen minutes.
   *
   * @param args the directory of a distribution, and schedulers ({@link SchedulerKind}); all if
   *     none is named
   */
  public static void main(String[] args) throws Exception {
    ClusterSpec spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(Path.of(args[0])))
            .nodes(NODES)
            .racks(2)
            .hintServices(0)
            .configuration(
                "yarn.nodemanager.resource.memory-mb", String.valueOf(PER_NODE * CONTAINER_MB))
            .configuration("yarn.nodemanager.resource.cpu-vcores", String.valueOf(PER_NODE))
            // Otherwise the queue of a user called root would have the name of the root of all
            // queues.
            .configuration("yarn.scheduler.fair.user-as-default-queue", "false")
            // An application that has all its containers sends no heartbeats until the others have
            // theirs.
            .configuration("yarn.am.liveness-monitor.expiry-interval-ms", "600000")
            // A link of 100 Mbit/s, so that a file of 32 MiB is worth a wait of some seconds.
            .configuration("weir.yarn.link.bytes-per-second", "12500000")
            .build();
    try (LocalCluster cluster =
        LocalCluster.start(spec, step -> System.err.println("starting: " + step))) {
      List<HeldFile> files = SingleReplicaFiles.write(cluster, 2, 32 << 20);
      List<SchedulerKind> schedulers =
          args.length == 1
              ? List.of(SchedulerKind.values())
              : Arrays.stream(args).skip(1).map(SchedulerKind::valueOf).toList();
      new LocalityExperiment(cluster, files).run(schedulers);
    }
  }

  private void run(List<SchedulerKind> schedulers) throws Exception {
    System.out.println(
        "| scheduler | in use | | share on a node with the bytes | median wait | 95 % wait |"
            + " load |");
    System.out.println("|---|---|---|---|---|---|---|");
    for (SchedulerKind scheduler : schedulers) {
      for (SchedulerVariant variant : List.of(SchedulerVariant.STOCK, SchedulerVariant.WEIR)) {
        new ResourceManagerSetup(cluster).restart(scheduler, variant);
        for (int percent : new int[] {50, 90}) {
          System.out.println(row(scheduler, variant, percent));
          System.err.println(
              cluster.jmx("resourcemanager", "Hadoop:service=ResourceManager,name=WeirAsks"));
        }
      }
    }
  }

  private String row(SchedulerKind scheduler, SchedulerVariant variant, int percent)
      throws Exception {
    List<Answer> answers = new ArrayList<>();
    double used = measure(variant, percent, answers);
    List<Double> waits = answers.stream().map(Answer::waitMillis).sorted().toList();
    long local = answers.stream().filter(Answer::local).count();
    return String.format(
        Locale.ROOT,
        "| %s | %.0f %% | %s | %.1f %% of %d | %,.0f ms | %,.0f ms | %.1f |",
        scheduler.label(),
        100 * used,
        variant.label(),
        100.0 * local / answers.size(),
        answers.size(),
        waits.get(waits.size() / 2),
        waits.get(waits.size() * 95 / 100),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  /** Adds the answers and returns the mean use of the cluster. */
  private double measure(SchedulerVariant variant, int percent, List<Answer> answers)
      throws Exception {
    Configuration conf = cluster.configuration();
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(conf);
    yarn.start();
    ExecutorService threads = Executors.newCachedThreadPool();
    List<UnmanagedApplication> applications = new ArrayList<>();
    try {
      UnmanagedApplication backgroundApplication =
          UnmanagedApplication.start(conf, yarn, "background");
      applications.add(backgroundApplication);
      BackgroundLoad background =
          new BackgroundLoad(backgroundApplication, nodeNames(), amount(percent), new Random(11));
      Future<Void> backgroundEnd = threads.submit(background);
      awaitFull(background, percent);
      List<Future<List<Answer>>> runs = new ArrayList<>();
      for (int i = 0; i < APPLICATIONS; i++) {
        UnmanagedApplication application =
            UnmanagedApplication.start(conf, yarn, "one-by-one-" + i);
        applications.add(application);
        SequentialApplication.Load load =
            new SequentialApplication.Load(ASKS / APPLICATIONS, SIZE, i);
        runs.add(threads.submit(new SequentialApplication(application, variant, files, load)));
      }
      double used = new ClusterUsage(yarn).until(runs);
      for (Future<List<Answer>> run : runs) {
        answers.addAll(run.get());
      }
      background.stop();
      backgroundEnd.get();
      return used;
    } finally {
      threads.shutdownNow();
      for (UnmanagedApplication application : applications) {
        application.close();
      }
      yarn.stop();
    }
  }

  /** Excludes the containers of the applications: one each, for a second. */
  private static BackgroundLoad.Amount amount(int percent) {
    int containers = NODES * PER_NODE * percent / 100 - APPLICATIONS;
    return new BackgroundLoad.Amount(containers, PER_NODE, BACKGROUND_MILLIS, SIZE);
  }

  private static void awaitFull(BackgroundLoad background, int percent)
      throws InterruptedException {
    // A few containers always wait for a node that is full.
    while (background.heldCount() < amount(percent).containers() * 95 / 100) {
      Thread.sleep(200);
    }
    // Waits until most containers of the initial burst have ended.
    Thread.sleep(BACKGROUND_MILLIS);
  }

  private List<String> nodeNames() {
    return cluster.nodes().stream().map(NodeInfo::name).toList();
  }
}
