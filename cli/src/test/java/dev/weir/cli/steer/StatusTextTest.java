package dev.weir.cli.steer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.workflow.client.RunView;
import dev.weir.workflow.client.RunView.Stage;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.scheduler.api.GivenUp;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.RunSummary;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatusTextTest {
  private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");
  private static final Instant NOW = START.plusSeconds(75);
  private static final RunSummary SUMMARY =
      new RunSummary(
          "application_1_0042", "ann", "montage", "weir", "/data", 40, START.toString(), "", null);

  private static RunProgress progress(List<Progress.Running> running) {
    return new RunProgress(
        RunProgress.Phase.RUNNING,
        40,
        10,
        3,
        running.stream().map(Progress.Running::task).toList(),
        2,
        6,
        3_000_000,
        1_000_000,
        List.of("no hints"),
        new Progress.Details(
            false,
            4,
            2,
            5,
            List.of(new Progress.TypeCount("mAdd", 1, 2, 3, 4, 5)),
            running,
            List.of(new Progress.Failed("m1", 2, "n3", 7, "no such catalogue")),
            GivenUp.NONE,
            List.of(new Progress.WaitingCount("1 core, and 1 of fpga", 2))));
  }

  private static List<Progress.Running> running(int tasks) {
    return IntStream.range(0, tasks)
        .mapToObj(i -> new Progress.Running("t" + i, 1, "w1", "n1", NOW.toEpochMilli() - 61_000))
        .toList();
  }

  @Test
  void timeThatIsLeftIsShown() {
    RunView view = new RunView(SUMMARY, Stage.RUNNING, progress(running(1)), null);

    assertThat(StatusText.of(view, false, NOW, 125.4).lines().toList().get(1))
        .isEqualTo("about 2:05 left");
    assertThat(StatusText.of(view, false, NOW, null)).doesNotContain(" left");
    assertThat(RunJson.full(view, 125.4).path("seconds-left").asDouble()).isEqualTo(125.4);
    assertThat(RunJson.full(view, null).has("seconds-left")).isFalse();
  }

  @Test
  void addedTasksAreCounted() {
    RunView view = new RunView(SUMMARY.withTasks(30), Stage.RUNNING, progress(running(1)), null);

    assertThat(StatusText.line(view, NOW)).contains("10 of 40 tasks done (25%)");
    assertThat(RunJson.full(view, null).path("tasks").asInt()).isEqualTo(40);
  }

  @Test
  void liveRunIsShown() {
    RunView view = new RunView(SUMMARY, Stage.RUNNING, progress(running(1)), null);

    assertThat(StatusText.of(view, false, NOW, null))
        .isEqualToNormalizingNewlines(
            """
            application_1_0042  RUNNING  10 of 40 tasks done (25%)  1:15  1 running on 2 workers  \
            6 failed attempts
            montage, mode weir, data in /data
            4 tasks are paused
            2 tasks wait for a worker with 1 core, and 1 of fpga
            5 tasks were done by earlier runs
            4.0 MB read, 3.0 MB of it from the reader's own node (75%)

            TYPE  WAITING  READY  RUNNING  DONE  DROPPED
            mAdd        1      2        3     4        5

            RUNNING  ATTEMPT  NODE   FOR
            t0             1  n1    1:01

            6 attempts failed or were lost, the last of them:
              m1, attempt 2 on n3, exit code 7: no such catalogue
            note: no hints
            """);
  }

  @Test
  void firstOfManyTasksAreShown() {
    RunView view = new RunView(SUMMARY, Stage.RUNNING, progress(running(25)), null);

    assertThat(StatusText.of(view, false, NOW, null))
        .contains("t19 ", "and 5 more")
        .doesNotContain("t20");
  }

  @Test
  void endedRunIsShownFromItsRecord() {
    RunSummary ended =
        SUMMARY.ended(
            new RunSummary.End(
                RunState.FAILED, START.plusSeconds(600).toString(), 30, 0, 3, 0, 0, "why"));
    RunFailure failure = new RunFailure("m1", 3, List.of("mAdd"), 7, "n3", "it failed", "last");

    RunView view = new RunView(ended, Stage.FAILED, progress(running(1)), failure);
    assertThat(StatusText.of(view, false, NOW, null))
        .startsWith("application_1_0042  FAILED  30 of 40 tasks done (75%)  10:00\n")
        .contains("The task 'm1' failed permanently after 3 attempts")
        .contains(
            """

            TYPE  NOT DONE  DONE  DROPPED
            mAdd         6     4        5
            """)
        .doesNotContain("RUNNING  ATTEMPT");

    RunView bare = new RunView(ended, Stage.FAILED, null, null);
    assertThat(StatusText.of(bare, false, NOW, null)).endsWith("\nwhy\n");
  }

  private static RunFailure failure(int tasks, int known) {
    return new RunFailure("m1", 3, List.of("mAdd"), 7, "n3", "it failed", "last")
        .with(
            new GivenUp(
                tasks + 5,
                tasks,
                IntStream.range(0, known)
                    .mapToObj(i -> new Progress.Failed("t" + i, 3, "n1", 7, "line " + i))
                    .toList()));
  }

  @Test
  void permanentlyFailedTasksAreListed() {
    RunView view = new RunView(SUMMARY, Stage.FAILED, null, failure(22, 22));

    assertThat(StatusText.of(view, false, NOW, null))
        .contains(
            """
            22 tasks failed permanently, 5 more need their files or were cancelled:
              t0, attempt 3 on n1, exit code 7: line 0
            """)
        .contains("line 19")
        .doesNotContain("line 20")
        .endsWith("  and 2 more: weir status application_1_0042 --all\n");
    assertThat(StatusText.of(view, true, NOW, null)).endsWith(", exit code 7: line 21\n");
    JsonNode json = RunJson.full(view, null);
    assertThat(json.path("failed-for-good").asInt()).isEqualTo(22);
    assertThat(json.path("failed-tasks")).hasSize(22);
    assertThat(json.path("failed-tasks").path(21).path("line").asText()).isEqualTo("line 21");
  }

  @Test
  void onlySomeOfVeryManyFailedTasksAreListed() {
    RunView view = new RunView(SUMMARY, Stage.FAILED, null, failure(1_001, 30));

    assertThat(StatusText.of(view, true, NOW, null)).endsWith(": line 29\n  and 971 more\n");
  }

  @Test
  void controlCharactersInNamesAreEscaped() {
    List<Progress.Running> running =
        List.of(new Progress.Running("a 'b'\n\u001b[2Jé", 1, "w1", "n1", NOW.toEpochMilli()));
    RunView view = new RunView(SUMMARY, Stage.RUNNING, progress(running), null);
    String text = StatusText.of(view, false, NOW, null);

    assertThat(text).contains("a 'b'\\n\\u001b[2Jé        1  n1    0:00").doesNotContain("\u001b");
  }

  @Test
  void jsonHasTheSameData() {
    RunView view = new RunView(SUMMARY, Stage.PAUSED, progress(running(2)), null);

    JsonNode json = RunJson.full(view, null);
    assertThat(json.path("state").asText()).isEqualTo("PAUSED");
    assertThat(json.path("done").asInt()).isEqualTo(10);
    assertThat(json.path("reused").asInt()).isEqualTo(5);
    assertThat(json.path("types").path(0).path("dropped").asInt()).isEqualTo(5);
    assertThat(json.path("running-tasks").path(1).path("task").asText()).isEqualTo("t1");
    assertThat(json.path("waiting-for-containers").path(0).path("needs").asText())
        .isEqualTo("1 core, and 1 of fpga");
    assertThat(json.path("last-failures").path(0).path("line").asText())
        .isEqualTo("no such catalogue");
    assertThat(json.has("ended")).isFalse();
  }
}
