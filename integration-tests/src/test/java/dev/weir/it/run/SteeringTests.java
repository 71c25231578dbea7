package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Steering of runs from other processes; each kind of run passes these tests. */
@Tag("nightly")
abstract class SteeringTests extends SessionRuns {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");
  private static final int NOT_FOUND = 3;
  private static final int REFUSED = 4;

  private Shell shell;

  /**
   * Creates the tests of a kind of run.
   *
   * @param name of the directory in HDFS for its files
   */
  SteeringTests(String name) {
    super(name);
  }

  /** Options of {@code weir run} for one task at a time, without look-ahead. */
  abstract List<String> runOptions();

  /** The application whose ApplicationMaster executes the run. */
  abstract String application(String run);

  /** The error message for another user who steers the run. */
  abstract String refusalForStrangers();

  @BeforeEach
  void openShell() {
    shell = new Shell(cluster, folder);
  }

  private String detach(Workflow workflow, String... more) throws Exception {
    Path file = folder.resolve(workflow.name() + ".json");
    WfFormatWriter.write(workflow, file);
    List<String> run = new ArrayList<>(List.of("run", file.toString(), "--detach"));
    run.addAll(List.of("--data", runs.path(workflow.name(), ".")));
    run.addAll(runOptions());
    run.addAll(List.of(more));
    Shell.Ran ran = shell.weir(run.toArray(String[]::new));
    assertThat(ran.code()).as(ran.toString()).isZero();
    Matcher id = APPLICATION.matcher(ran.err());
    assertThat(id.find()).as(ran.toString()).isTrue();
    return id.group();
  }

  private Shell.Ran ok(String... command) throws Exception {
    Shell.Ran ran = shell.weir(command);
    assertThat(ran.code()).as(String.join(" ", command) + ": " + ran).isZero();
    return ran;
  }

  private JsonNode status(String run) throws Exception {
    return new ObjectMapper().readTree(ok("status", run, "--json").out());
  }

  /** The script of a task that prints a line and waits for the gate of its name. */
  private String waiting(String id) {
    return marks.recordBegin() + "echo " + id + " begins; " + marks.waitFor(id);
  }

  @Test
  void aRunIsPausedPrioritisedShownAndResumed() throws Exception {
    Workflow workflow =
        new ShellWorkflow("paused")
            .task("first", waiting("first") + "echo 1 > f1", List.of(), List.of("f1"))
            .task("second", waiting("second") + "echo 2 > f2", List.of(), List.of("f2"))
            .task("third", waiting("third") + "echo 3 > f3", List.of(), List.of("f3"))
            .build();
    String run = detach(workflow);
    marks.awaitBegun("first", 1);

    assertThat(ok("runs", "--live").out()).contains(run, "RUNNING");
    await()
        .atMost(DEADLINE)
        .untilAsserted(
            () -> {
              JsonNode status = status("last");
              assertThat(status.path("running-tasks").path(0).path("task").asText())
                  .isEqualTo("first");
              assertThat(status.path("running-tasks").path(0).path("node").asText())
                  .matches("n\\d");
            });
    assertThat(ok("logs", run, "first", "--stdout").out()).isEqualTo("first begins\n");
    assertThat(shell.weir("logs", run, "never").code()).isEqualTo(NOT_FOUND);

    assertThat(ok("pause", run).out()).contains("3 tasks paused");
    marks.open("first");
    await()
        .atMost(DEADLINE)
        .untilAsserted(() -> assertThat(status(run).path("done").asInt()).isEqualTo(1));
    assertThat(ok("status", run).out())
        .contains("PAUSED", "2 tasks are paused", "1 of 3 tasks done");
    assertThat(ok("logs", run).out())
        .containsPattern("first +\\S+ +1 +SUCCEEDED +0 +n\\d")
        .contains("and 2 tasks without an attempt");
    assertThat(ok("logs", run, "first").out()).isEqualTo("first begins\n");
    ok("report", run, "--out", folder.resolve("live").toString());
    assertThat(folder.resolve("live/run.json")).content().contains("RUNNING", "\"first\"");
    // The next ApplicationMaster knows the paused state too.
    Processes.containing(Processes.MASTER, application(run)).destroyForcibly();
    await()
        .atMost(DEADLINE)
        .untilAsserted(() -> assertThat(ok("prioritise", run, "thir*").out()).contains("1 task"));
    assertThat(marks.begun("second")).isEmpty();
    assertThat(marks.begun("third")).isEmpty();

    ok("resume", run);
    marks.awaitBegun("third", 1);
    assertThat(marks.begun("second")).isEmpty();
    marks.open("third");
    marks.open("second");
    Shell.Ran watched = ok("status", run, "--watch");
    assertThat(watched.out()).contains("SUCCEEDED", "3 of 3 tasks done (100%)");
    assertThat(ok("runs").out()).containsPattern(run + ".*SUCCEEDED +3 +3");
    assertThat(shell.weir("pause", run).err()).contains("has ended");
    ok("report", run, "--out", folder.resolve("report").toString());
    assertThat(folder.resolve("report/run.json")).content().contains(run);
    assertThat(folder.resolve("report/report.html")).content().contains("Workflow paused");
  }

  @Test
  void everyPermanentlyFailedTaskIsReportedWithItsReason() throws Exception {
    Workflow workflow =
        new ShellWorkflow("told")
            .task("bad", "echo why >&2; exit 4", List.of(), List.of("f1"))
            .task("after", "cat f1 > f2", List.of("f1"), List.of("f2"))
            .task("mute", "exit 3", List.of(), List.of("f3"))
            .build();
    String run = detach(workflow, "--keep-going");

    Shell.Ran watched = shell.weir("status", run, "--watch");

    assertThat(watched.out())
        .contains("2 tasks failed permanently, 1 more needs their files or was cancelled:\n")
        .containsPattern("  bad, attempt 3 on n\\d, exit code 4: why\n")
        .containsPattern("  mute, attempt 3 on n\\d, exit code 3: the command exited with 3\n");
    assertThat(shell.weir("logs", run, "mute").err())
        .containsPattern("Attempt 3 failed or was lost on n\\d with exit code 3: the command ");
  }

  @Test
  void tasksAreCancelledAndFailedOnesRetried() throws Exception {
    Workflow workflow =
        new ShellWorkflow("cancelled")
            .task(
                "bad",
                "echo out; echo why >&2; [ -e " + folder + "/good ] && echo > f1",
                List.of(),
                List.of("f1"))
            .task("after", "cat f1 > f2", List.of("f1"), List.of("f2"))
            .task("long", waiting("long") + "echo > f3", List.of(), List.of("f3"))
            .task("unwanted", "echo > f4", List.of("f3"), List.of("f4"))
            .build();
    String run = detach(workflow, "--keep-going");
    await()
        .atMost(DEADLINE)
        .untilAsserted(() -> assertThat(status(run).path("dropped").asInt()).isEqualTo(2));
    marks.awaitBegun("long", 1);
    assertThat(ok("logs", run, "bad", "--attempt", "2").out())
        .isEqualTo("==> stdout <==\nout\n==> stderr <==\nwhy\n");
    assertThat(ok("status", run).out()).containsPattern("bad, attempt 3 on n\\d, exit code 1: why");

    assertThat(ok("cancel", run, "long").out()).contains("2 tasks cancelled");
    // No other task can run, so the run fails.
    Shell.Ran watched = shell.weir("status", run, "--watch");
    assertThat(watched.code()).as(watched.toString()).isEqualTo(1);
    assertThat(watched.out()).contains("FAILED", "The task 'bad' failed permanently");
    assertThat(ok("logs", run, "bad", "--stdout").out()).isEqualTo("out\n");
    assertThat(shell.weir("logs", run, "after").err()).contains("was not started");

    Files.createFile(folder.resolve("good"));
    marks.open("long");
    Matcher again = APPLICATION.matcher(ok("retry", run).out().replace(run, ""));
    assertThat(again.find()).isTrue();
    assertThat(ok("status", again.group(), "--watch").out()).contains("4 of 4 tasks done");
  }

  @Test
  void aCancelledRunKeepsFinishedFilesAndIsProtectedFromOthers() throws Exception {
    Workflow workflow =
        new ShellWorkflow("ended")
            .task("quick", "echo 1 > f1", List.of(), List.of("f1"))
            .task("slow", waiting("slow") + "echo 2 > f2", List.of("f1"), List.of("f2"))
            .build();
    String run = detach(workflow);
    marks.awaitBegun("slow", 1);
    long pid = marks.begun("slow").get(0).pid();

    Shell.Ran stranger = shell.weir(Map.of("HADOOP_USER_NAME", "stranger"), "cancel", run);
    assertThat(stranger.err()).contains(refusalForStrangers());
    assertThat(stranger.code()).as(stranger.toString()).isIn(NOT_FOUND, REFUSED);

    assertThat(ok("cancel", run).out()).contains("cancelled");

    assertThat(ok("status", run).out()).contains("CANCELLED", "1 of 2 tasks done");
    await().atMost(DEADLINE).until(() -> Processes.hasEnded(pid));
    assertThat(runs.text("ended", "f1")).isEqualTo("1\n");
    assertThat(shell.weir("status", "application_1_0001").code()).isEqualTo(NOT_FOUND);
  }
}
