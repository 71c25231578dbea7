package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests which tasks of an ended run are retried. */
class KnownRunRetryTest {

  private static final ApplicationId ID = ApplicationId.newInstance(1, 8);
  private static final String TIME = "2026-01-01T00:00:00Z";

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private static KnownRun ended(RunState state) throws IOException {
    Staging directory = new Staging(HDFS.fs(), new Path("/runs/" + ID));
    directory.create();
    directory.writeJson(
        Staging.PLAN,
        new RunPlan(
            new Workflow(
                "w",
                List.of(
                    new Task("cut-1", "cut", List.of("true"), List.of(), List.of(), 1),
                    new Task("count", "count", List.of("true"), List.of(), List.of(), 1)),
                Map.of()),
            Mode.WEIR,
            "hdfs://nn",
            "/data",
            false,
            WorkerPlan.DEFAULT,
            Map.of(),
            Map.of(),
            "u",
            RunOptions.DEFAULT,
            Map.of()));
    directory.writeJson(
        Staging.SUMMARY,
        new RunSummary(
            ID.toString(),
            "u",
            "w",
            "weir",
            "/data",
            2,
            TIME,
            "",
            new RunSummary.End(state, TIME, 1, 0, 0, 0, 0, "")));
    KnownApplications forgetful = new KnownApplications(KnownApplications.RUNS, Map.of());
    return new KnownRun(
        ID, directory, new Runs(new Configuration(), HDFS.fs(), forgetful, Clock.systemUTC()));
  }

  @Test
  void missingTasksOfAFailedRunAreRetried() throws Exception {
    for (RunState state : List.of(RunState.FAILED, RunState.CANCELLED)) {
      RunRequest again = ended(state).retried("").orElseThrow();
      assertThat(again.choices().rerun()).isEqualTo("none");
    }
  }

  @Test
  void successfulRunIsNotRetried() throws Exception {
    assertThat(ended(RunState.SUCCEEDED).retried("")).isEmpty();
  }

  @Test
  void namedTasksAreRetried() throws Exception {
    for (RunState state : RunState.values()) {
      KnownRun run = ended(state);
      assertThat(run.retried("cut").orElseThrow().choices().rerun()).isEqualTo("cut");
      assertThat(run.retried("cou*")).isPresent();
      assertThatExceptionOfType(SteeringException.class)
          .isThrownBy(() -> run.retried("nosuch"))
          .withMessage("No task of " + ID + " has an id or a type that 'nosuch' matches")
          .matches(refused -> refused.kind() == SteeringException.Kind.NOT_FOUND);
    }
  }
}
