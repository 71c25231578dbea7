package dev.weir.bench.confuga;

import dev.weir.bench.comparison.ForeignSystem;
import dev.weir.bench.comparison.Subject;
import dev.weir.bench.measure.ClusterMeter;
import dev.weir.bench.measure.MeasuredRuns;
import dev.weir.bench.measure.RunTimeout;
import dev.weir.bench.measure.StepTimer;
import dev.weir.bench.series.RunSteps;
import dev.weir.bench.series.RunUsage;
import dev.weir.bench.series.Setup;
import dev.weir.cluster.plan.NodeInfo;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.record.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** Runs the Makeflow files of subjects on a Confuga that is new for each run. Not thread-safe. */
final class ConfugaRuns implements ForeignSystem {
  /** More than any file has. */
  private static final long ALL_PULLED = Long.MAX_VALUE / 2;

  private static final String STORED =
      "SELECT sum(f.size) FROM c.Replica r JOIN c.File f ON f.id = r.fid";

  private final Site site;
  private final long threshold;
  private int runs;

  /**
   * Creates the runs.
   *
   * @param threshold bytes from which {@code confuga-threshold} pushes files
   */
  ConfugaRuns(Site site, long threshold) {
    this.site = site;
    this.threshold = threshold;
  }

  @Override
  public MeasuredRuns.Measured run(Subject subject, Setup setup, Path results)
      throws IOException, InterruptedException {
    StepTimer timer = StepTimer.begin();
    Path inputs = subject.inputs().directory();
    try (ClusterMeter meter = new ClusterMeter(site.cluster(), 0, site.clock());
        ConfugaCluster confuga = ConfugaCluster.start(site.cluster(), pullThreshold(setup))) {
      double started = timer.next();
      for (DataFile input : subject.workflow().graph().workflowInputs()) {
        confuga.put(inputs.resolve(input.id()));
      }
      double provided = timer.next();
      Instant begin = site.clock().instant();
      List<String> log =
          RunTimeout.within(
              site.limit(),
              subject.name() + ", " + setup.label(),
              confuga::kill,
              () -> confuga.makeflow(inputs.resolve(subject.name() + ConfugaWorkflow.ENDING)));
      double executed = timer.next();
      ConfugaRecord tasks = new ConfugaRecord(subject.workflow().graph(), nodes());
      tasks.readLog(log);
      tasks.readRows(confuga.query(ConfugaRecord.QUERY));
      RunRecord record = tasks.of(setup.label() + "-" + ++runs, begin, site.clock().instant());
      RunUsage usage =
          new RunUsage(
              meter.since(begin).networkBytes(),
              Long.parseLong(String.join("", confuga.query(STORED))));
      double settled = timer.next();
      for (String id : subject.results().ids()) {
        confuga.get(id, results.resolve(id));
      }
      return new MeasuredRuns.Measured(
          record, usage, new RunSteps(provided, started, executed, settled, timer.next(), 0));
    }
  }

  private long pullThreshold(Setup setup) {
    if (setup.equals(Setup.CONFUGA_PUSH)) {
      return 0;
    }
    return setup.equals(Setup.CONFUGA_PULL) ? ALL_PULLED : threshold;
  }

  private List<String> nodes() {
    return site.cluster().nodes().stream().map(NodeInfo::name).toList();
  }

  @Override
  public void close() {
    // Each run has stopped its own Confuga.
  }
}
