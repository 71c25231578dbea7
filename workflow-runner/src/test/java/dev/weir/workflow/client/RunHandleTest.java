package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.run.Plans;
import dev.weir.workflow.run.RunRecorder;
import dev.weir.workflow.session.OpenHookFileSystem;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests how a client waits for the end of a run. */
class RunHandleTest {

  private static final ApplicationId SESSION = ApplicationId.newInstance(1, 1);
  private static final ApplicationId ADDED = ApplicationId.newInstance(1, 2);
  private static final ApplicationId FIRST = ApplicationId.newInstance(1, 3);

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  /** The session ends after the client has asked for it once. */
  private static final class EndingSession extends KnownApplications {
    private final Map<ApplicationId, YarnApplicationState> states;

    EndingSession(Map<ApplicationId, YarnApplicationState> states) {
      super(RUNS, states);
      this.states = states;
    }

    @Override
    public ApplicationReport getApplicationReport(ApplicationId id)
        throws ApplicationNotFoundException {
      ApplicationReport report = super.getApplicationReport(id);
      report.setDiagnostics("");
      states.put(id, YarnApplicationState.FINISHED);
      return report;
    }
  }

  @Test
  void unreadableSummaryIsNotAnEnd() throws Exception {
    Staging staging = new Staging(HDFS.fs(), new Path("/runs/" + ADDED));
    staging.create();
    staging.writeJson(Staging.SUMMARY, "not a summary");
    Map<ApplicationId, YarnApplicationState> states = new HashMap<>();
    states.put(SESSION, YarnApplicationState.RUNNING);
    RunHandle run =
        new RunHandle(
            ADDED,
            1,
            new RunHandle.Cluster(
                new Configuration(),
                new EndingSession(states),
                staging,
                false,
                Clock.systemUTC(),
                SESSION,
                null));

    assertThatThrownBy(() -> run.await(progress -> {}))
        .isInstanceOf(RunException.class)
        .hasMessageContaining(" ended as FINISHED and left no record");
  }

  /** Its application goes on with runs that were added. */
  private static final class LiveSession extends KnownApplications {
    private final List<ApplicationId> killed = new ArrayList<>();

    LiveSession() {
      super(RUNS, Map.of(FIRST, YarnApplicationState.RUNNING));
    }

    @Override
    public void killApplication(ApplicationId id) {
      killed.add(id);
    }
  }

  private static Staging endedRun(DistributedFileSystem fs) throws IOException {
    Staging staging = new Staging(fs, new Path("/runs/" + FIRST));
    staging.create();
    RunPlan plan = Plans.of(1, Plans.task("a", List.of(), List.of("fa")));
    staging.writeJson(
        Staging.SUMMARY,
        RunSummary.of(FIRST.toString(), plan, Instant.EPOCH)
            .ended(
                new RunSummary.End(
                    RunState.SUCCEEDED, Instant.EPOCH.toString(), 1, 0, 0, 0, 0, "")));
    RunRecord record =
        new RunRecorder(0, id -> plan.workflow().tasks().get(0))
            .build(new RunRecorder.Name(FIRST.toString(), "w", "weir"), RunState.SUCCEEDED, 1);
    staging.write(Staging.RECORD, out -> RunRecordCodec.write(record, out));
    return staging;
  }

  private static RunHandle handle(Staging staging, YarnClient yarn) {
    return new RunHandle(
        FIRST,
        1,
        new RunHandle.Cluster(
            new Configuration(), yarn, staging, false, Clock.systemUTC(), FIRST, null));
  }

  @Test
  void unavailableHdfsAtTheEndIsAwaited() throws Exception {
    Map<ApplicationId, YarnApplicationState> states = new HashMap<>();
    states.put(FIRST, YarnApplicationState.RUNNING);
    try (OpenHookFileSystem fs =
        new OpenHookFileSystem(
            HDFS.fs(),
            endedRun(HDFS.fs()).file(Staging.RECORD),
            () -> {
              throw new StandbyException("on purpose");
            })) {
      RunHandle run =
          handle(new Staging(fs, new Path("/runs/" + FIRST)), new EndingSession(states));

      assertThat(run.await(progress -> {}).state()).isEqualTo(RunState.SUCCEEDED);
    }
  }

  @Test
  void applicationWithOtherRunsIsKilledAfterTheLastOfThem() throws Exception {
    LiveSession yarn = new LiveSession();
    RunHandle run = handle(endedRun(HDFS.fs()), yarn);
    Staging added = new Staging(HDFS.fs(), new Path("/runs/" + ADDED));
    added.create();
    RunSummary summary =
        RunSummary.of(
                ADDED.toString(),
                Plans.of(1, Plans.task("b", List.of(), List.of("fb"))),
                Instant.EPOCH)
            .in(FIRST.toString());
    added.writeJson(Staging.SUMMARY, summary);

    run.kill();
    assertThat(yarn.killed).as("an added run is live").isEmpty();

    added.writeJson(
        Staging.SUMMARY,
        summary.ended(
            new RunSummary.End(RunState.SUCCEEDED, Instant.EPOCH.toString(), 1, 0, 0, 0, 0, "")));
    run.kill();
    assertThat(yarn.killed).as("the ApplicationMaster may hang").containsExactly(FIRST);
  }
}
