package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.client.RunLogs.Request;
import dev.weir.workflow.client.RunView.Stage;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.scheduler.api.GivenUp;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.staging.KeptLog.Stream;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.RunSummary;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MissingLogTest {
  private static final Instant T0 = Instant.parse("2026-01-02T03:04:05Z");
  private static final Request LAST = new Request("t", OptionalInt.empty(), Set.of(Stream.STDERR));
  private static final RunSummary SUMMARY =
      new RunSummary("run", "ann", "w", "weir", "/data", 1, T0.toString(), "", null);

  private static TaskRecord attempt(int number, Outcome outcome, String message) {
    return TaskRecord.builder("t", "type", number)
        .worker("container_7", "n3")
        .outcome(outcome, outcome == Outcome.FAILED ? 9 : -1)
        .times(T0, T0)
        .message(message)
        .build();
  }

  private static String atTheEnd(Request request, TaskRecord... attempts) {
    RunRecord record =
        new RunRecord("run", "w", "weir", RunState.FAILED, T0, T0, List.of(), List.of(attempts));
    return MissingLog.atTheEnd(request, "run", Optional.of(record));
  }

  @Test
  void reportsTheMessageOfAnAttemptWithoutOutput() {
    String text =
        atTheEnd(
            LAST,
            attempt(1, Outcome.LOST, "first"),
            attempt(2, Outcome.FAILED, "the output 'o' was not made"));

    assertThat(text)
        .startsWith(
            "No stderr of task 't' is kept. Attempt 2 failed or was lost on n3 with exit code 9:"
                + " the output 'o' was not made. ")
        .endsWith("yarn logs -applicationId run -containerId container_7");
    assertThat(
            atTheEnd(
                new Request("t", OptionalInt.of(1), Set.of(Stream.STDOUT)),
                attempt(1, Outcome.LOST, "first"),
                attempt(2, Outcome.FAILED, "second")))
        .startsWith("No stdout of task 't', attempt 1 is kept. Attempt 1 failed or was lost on n3")
        .contains(": first");
  }

  @Test
  void reportsThatAnAttemptDidNotFail() {
    assertThat(atTheEnd(LAST, attempt(1, Outcome.SUCCEEDED, "")))
        .startsWith("No stderr of task 't' is kept: attempt 1 succeeded and printed nothing");
    assertThat(atTheEnd(LAST)).endsWith("was not started in this run");
    assertThat(MissingLog.atTheEnd(LAST, "run", Optional.empty())).contains("no record");
  }

  @Test
  void usesTheStatusDuringTheRun() {
    RunProgress progress =
        new RunProgress(
            RunProgress.Phase.RUNNING,
            1,
            0,
            0,
            List.of(),
            1,
            2,
            0,
            0,
            List.of(),
            new Progress.Details(
                false,
                0,
                0,
                0,
                List.of(),
                List.of(),
                List.of(
                    new Progress.Failed("t", 1, "n3", 9, "the first"),
                    new Progress.Failed("t", 2, "n4", -1, "the second"),
                    new Progress.Failed("u", 3, "n5", 1, "another's")),
                GivenUp.NONE,
                List.of()));

    assertThat(MissingLog.soFar(LAST, new RunView(SUMMARY, Stage.RUNNING, progress, null)))
        .isEqualTo("No stderr of task 't' is kept. Attempt 2 failed or was lost on n4: the second");
    assertThat(MissingLog.soFar(LAST, new RunView(SUMMARY, Stage.RUNNING, null, null)))
        .endsWith("is kept: it has printed nothing so far, has not started, or its worker is gone");
  }
}
