package dev.weir.bench.morph;

import dev.weir.bench.comparison.ClusterOptions;
import dev.weir.bench.disks.ThrottledDisks;
import dev.weir.bench.measure.RunTimeout;
import dev.weir.bench.measure.SeriesSession;
import dev.weir.bench.measure.StepTimer;
import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.RunOrder;
import dev.weir.bench.series.SeriesDirectory;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.process.DaemonStatus;
import dev.weir.hdfs.audit.AccessAuditLogger;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Makes runs on one cluster with throttled disks. */
final class MorphBench implements SeriesSession.Experiment<MorphRun>, AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(6);

  private final Plan plan;
  private final Duration limit;
  private @Nullable ThrottledDisks disks;

  /**
   * What is run.
   *
   * @param out the directory of the series
   * @param nodes with a disk each
   * @param scale of files, disks and time
   * @param setups of each workload
   * @param repeat the repetitions
   */
  record Plan(
      Path out,
      int nodes,
      MorphRunner.Scale scale,
      Map<MorphWorkload, List<MorphSetup>> setups,
      int repeat) {

    RunOrder order() {
      return RunOrder.of(
          setups.entrySet().stream()
              .map(
                  entry ->
                      new RunOrder.Group(
                          entry.getKey().label(),
                          entry.getValue().stream().map(MorphSetup::label).toList()))
              .toList(),
          repeat);
    }
  }

  /**
   * Creates an experiment.
   *
   * @param limit the longest duration of a run
   */
  MorphBench(Plan plan, Duration limit) {
    this.plan = plan;
    this.limit = limit;
  }

  @Override
  public List<String> prepare(SeriesDirectory directory, Path scratch) {
    return Arrays.stream(MorphWorkload.values()).map(MorphWorkload::label).toList();
  }

  @Override
  public RunOrder order() {
    return plan.order();
  }

  private List<String> names() {
    return IntStream.rangeClosed(1, plan.nodes()).mapToObj(i -> "n" + i).toList();
  }

  /** Creates the disks, too. */
  @Override
  public ClusterSpec cluster() throws IOException {
    ThrottledDisks created =
        ThrottledDisks.create(plan.out().resolve("disks"), names(), plan.scale().diskBytes());
    disks = created;
    return cluster(created);
  }

  private ClusterSpec cluster(ThrottledDisks disks) throws IOException {
    String root = String.valueOf(disks.directory("n1").getParent());
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("dfs.datanode.data.dir", root + "/${dfs.datanode.hostname}/data");
    // A write ends when it is on the disks.
    settings.put("dfs.datanode.synconclose", "true");
    settings.put("dfs.namenode.audit.loggers", "default," + AccessAuditLogger.class.getName());
    settings.put("dfs.namenode.fs-limits.min-block-size", "4096");
    settings.put("dfs.namenode.invalidate.work.pct.per.iteration", "1.0");
    // Copies between runs are not measured.
    settings.put("dfs.namenode.replication.work.multiplier.per.iteration", "20");
    settings.put("dfs.namenode.replication.max-streams", "20");
    settings.put("dfs.namenode.replication.max-streams-hard-limit", "40");
    ClusterSpec.Builder spec =
        ClusterOptions.withRelaxedTimeouts(
                ClusterSpec.builder(HadoopJars.ofDistribution(ClusterOptions.home())))
            .nodes(plan.nodes())
            .hosts(HostKind.NAMESPACES)
            .hintServices(1)
            .startTimeout(START_TIMEOUT);
    settings.forEach(spec::configuration);
    return spec.build();
  }

  @Override
  public SeriesSession.Runs<MorphRun> start(LocalCluster cluster, SeriesSession<MorphRun> session)
      throws IOException {
    ThrottledDisks created = Objects.requireNonNull(disks);
    created.uncached(
        cluster.status().daemons().stream()
            .filter(daemon -> names().contains(daemon.name()))
            .map(DaemonStatus::pid)
            .toList());
    return new Runs(new MorphRunner(cluster, created, plan.scale()), session);
  }

  private final class Runs implements SeriesSession.Runs<MorphRun> {
    private final MorphRunner runner;
    private final SeriesSession<MorphRun> session;

    Runs(MorphRunner runner, SeriesSession<MorphRun> session) {
      this.runner = runner;
      this.session = session;
    }

    @Override
    public double warmUp() {
      return 0;
    }

    /** A run that is interrupted because of its duration has failed. */
    @Override
    public MorphRun make(PlannedRun id, int number) throws IOException, InterruptedException {
      Thread thread = Thread.currentThread();
      StepTimer timer = StepTimer.begin();
      MorphRun run =
          RunTimeout.within(limit, id.toString(), thread::interrupt, () -> run(id, number));
      session.print(
          "%s: %.1f MB/s with %.2f x the capacity, after %.0f s",
          id, run.harmonicMean() / 1e6, run.capacity(), timer.next());
      return run;
    }

    private MorphRun run(PlannedRun id, int number) throws IOException {
      try {
        return runner.run(
            id, number, MorphWorkload.ofLabel(id.group()), MorphSetup.ofLabel(id.setup()));
      } catch (InterruptedException e) {
        throw (IOException) new InterruptedIOException("it was interrupted").initCause(e);
      }
    }

    @Override
    public void close() {
      runner.close();
    }
  }

  @Override
  public MorphResults results(SeriesSession<MorphRun> session) {
    return new MorphResults(
        plan,
        session.sessions(),
        Arrays.stream(MorphWorkload.values())
            .flatMap(workload -> session.recorded().runs(workload.label()).stream())
            .toList());
  }

  /** Removes the disks. */
  @Override
  public void close() throws IOException {
    if (disks != null) {
      disks.close();
    }
  }
}
