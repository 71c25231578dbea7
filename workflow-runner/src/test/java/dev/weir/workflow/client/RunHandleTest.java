package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.Staging;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests how a client waits for the end of a run. */
class RunHandleTest {

  private static final ApplicationId SESSION = ApplicationId.newInstance(1, 1);
  private static final ApplicationId ADDED = ApplicationId.newInstance(1, 2);

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
}
