package dev.weir.bench.morph;

import dev.weir.bench.comparison.ClusterOptions;
import dev.weir.bench.disks.ThrottledDisks;
import dev.weir.bench.measure.RunTimeout;
import dev.weir.bench.measure.SessionCluster;
import dev.weir.bench.measure.StepTimer;
import dev.weir.bench.series.FailedRun;
import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.RunOrder;
import dev.weir.bench.series.SeriesDirectory;
import dev.weir.bench.series.Session;
import dev.weir.bench.series.TimeBudget;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.process.DaemonStatus;
import dev.weir.hdfs.audit.AccessAuditLogger;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Makes the missing runs of a series on one cluster with throttled disks. */
final class MorphBench {
  private static final int MOST_IN_ROW = 3;
  private static final Duration START_TIMEOUT = Duration.ofMinutes(6);

  private final SeriesDirectory directory;
  private final Plan plan;
  private final PrintWriter console;
  private final Clock clock = Clock.systemUTC();
  private final List<MorphRun> made = new ArrayList<>();
  private final List<Session> sessions;

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

  MorphBench(SeriesDirectory directory, Plan plan, PrintWriter console) throws IOException {
    this.directory = directory;
    this.plan = plan;
    this.console = console;
    this.sessions = new ArrayList<>(directory.sessions());
    for (MorphWorkload workload : MorphWorkload.values()) {
      made.addAll(directory.runs(workload.label(), MorphRun.class));
    }
  }

  /**
   * Makes the missing runs, and writes the results.
   *
   * @param limit the longest duration of a run
   * @return the number of runs that are missing
   * @throws IOException if the cluster cannot be started, or several runs fail one after another
   */
  int run(TimeBudget budget, Duration limit) throws IOException, InterruptedException {
    List<PlannedRun> missing = missing();
    try {
      if (!missing.isEmpty()) {
        measure(missing, budget, limit);
      }
    } finally {
      write();
    }
    print("\n" + new MorphResults(plan, sessions, made).markdown());
    return missing().size();
  }

  private void measure(List<PlannedRun> missing, TimeBudget budget, Duration limit)
      throws IOException, InterruptedException {
    Instant started = clock.instant();
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    StepTimer timer = StepTimer.begin();
    List<String> names = IntStream.rangeClosed(1, plan.nodes()).mapToObj(i -> "n" + i).toList();
    Path images = plan.out().resolve("disks");
    try (ThrottledDisks disks = ThrottledDisks.create(images, names, plan.scale().diskBytes());
        LocalCluster cluster = new SessionCluster(plan.out()).start(cluster(disks));
        MorphRunner runner = new MorphRunner(cluster, disks, plan.scale())) {
      disks.uncached(
          cluster.status().daemons().stream()
              .filter(daemon -> names.contains(daemon.name()))
              .map(DaemonStatus::pid)
              .toList());
      print(String.format(Locale.ROOT, "%d nodes after %.0f s", plan.nodes(), timer.next()));
      Session session = Session.after(sessions, started, 0, load);
      directory.keep(session);
      sessions.add(session);
      makeAll(
          missing,
          budget,
          limit,
          (id, workload, setup) -> runner.run(id, session.number(), workload, setup));
    }
  }

  private List<PlannedRun> missing() {
    Set<PlannedRun> past = new HashSet<>();
    made.forEach(run -> past.add(run.id()));
    return plan.order().runs().stream().filter(id -> !past.contains(id)).toList();
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

  /** Makes one run. */
  private interface Maker {
    MorphRun make(PlannedRun id, MorphWorkload workload, MorphSetup setup)
        throws IOException, InterruptedException;
  }

  private void makeAll(List<PlannedRun> missing, TimeBudget budget, Duration limit, Maker maker)
      throws IOException, InterruptedException {
    Thread runner = Thread.currentThread();
    int failuresInRow = 0;
    for (PlannedRun id : missing) {
      if (budget.isOver()) {
        return;
      }
      StepTimer timer = StepTimer.begin();
      try {
        MorphRun run =
            RunTimeout.within(limit, id.toString(), runner::interrupt, () -> make(maker, id));
        directory.keep(id, run);
        made.add(run);
        failuresInRow = 0;
        print(
            String.format(
                Locale.ROOT,
                "%s: %.1f MB/s with %.2f x the capacity, after %.0f s",
                id,
                run.harmonicMean() / 1e6,
                run.capacity(),
                timer.next()));
      } catch (IOException | RuntimeException e) {
        // An unchecked exception in one run must not end a night of runs.
        print("  " + id + " failed: " + e);
        directory.keep(new FailedRun(id, e.toString()));
        if (++failuresInRow == MOST_IN_ROW) {
          throw new IOException(failuresInRow + " runs have failed one after another", e);
        }
      }
      write();
    }
  }

  /** Makes a run; a run that is interrupted because of its duration has failed. */
  private MorphRun make(Maker maker, PlannedRun id) throws IOException {
    MorphWorkload workload = MorphWorkload.ofLabel(id.group());
    try {
      return maker.make(id, workload, MorphSetup.ofLabel(id.setup()));
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("it was interrupted").initCause(e);
    }
  }

  private void write() throws IOException {
    if (!made.isEmpty()) {
      new MorphResults(plan, sessions, made).write();
    }
  }

  private void print(String text) {
    console.println(text);
    console.flush();
  }
}
