package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** YARN prioritises runs that are applications of their own. */
class KnownRunPriorityTest {

  private static final ApplicationId ID = ApplicationId.newInstance(1, 7);
  private static final Duration NONE = Duration.ZERO;
  private static final String TIME = "2026-01-01T00:00:00Z";

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final List<String> asked = new ArrayList<>();
  private Staging directory;

  /** A YARN client that has a maximum priority and records requests. */
  private final class NotingYarn extends KnownApplications {

    private final @Nullable Priority granted;
    private final @Nullable String refusal;

    NotingYarn(@Nullable Priority granted, @Nullable String refusal) {
      super(RUNS, Map.of(ID, YarnApplicationState.RUNNING));
      this.granted = granted;
      this.refusal = refusal;
    }

    @Override
    public @Nullable Priority updateApplicationPriority(ApplicationId id, Priority priority)
        throws YarnException {
      asked.add(id + " " + priority.getPriority());
      if (refusal != null) {
        throw new YarnException(refusal);
      }
      return granted;
    }
  }

  @BeforeEach
  void submitted() throws IOException {
    directory = new Staging(HDFS.fs(), new Path("/runs/" + ID));
    directory.create();
    write(null);
  }

  private void write(RunSummary.@Nullable End end) throws IOException {
    directory.writeJson(
        Staging.SUMMARY,
        new RunSummary(ID.toString(), "u", "w", "weir", "/data", 1, TIME, "", end));
  }

  private KnownRun run(NotingYarn yarn) throws IOException {
    return new KnownRun(
        ID, directory, new Runs(new Configuration(), HDFS.fs(), yarn, Clock.systemUTC()));
  }

  @Test
  void setsThePriorityAndReportsTheGrantedOne() throws Exception {
    assertThat(run(new NotingYarn(Priority.newInstance(3), null)).prioritise(5, NONE).text())
        .isEqualTo("YARN gives the run the priority 3");
    assertThat(run(new NotingYarn(null, null)).prioritise(5, NONE).text())
        .as("YARN says nothing of what it granted as asked")
        .isEqualTo("YARN gives the run the priority 5");
    assertThat(asked).containsExactly(ID + " 5", ID + " 5");
  }

  @Test
  void reportsTheReasonOfARefusal() throws Exception {
    KnownRun run = run(new NotingYarn(null, "not allowed"));
    assertThatExceptionOfType(SteeringException.class)
        .isThrownBy(() -> run.prioritise(1, NONE))
        .withMessage("YARN does not change the priority of " + ID + ": not allowed")
        .matches(refused -> refused.kind() == SteeringException.Kind.REFUSED);
  }

  @Test
  void refusesARunThatHasEnded() throws Exception {
    write(new RunSummary.End(RunState.SUCCEEDED, TIME, 1, 0, 0, 0, 0, ""));
    KnownRun run = run(new NotingYarn(null, null));
    assertThatExceptionOfType(SteeringException.class)
        .isThrownBy(() -> run.prioritise(1, NONE))
        .withMessageContaining("has ended");
    assertThat(asked).isEmpty();
  }
}
