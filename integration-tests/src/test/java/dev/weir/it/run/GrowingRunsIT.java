package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.client.Runs;
import dev.weir.workflow.client.SteeringException;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.ReusedTask;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.staging.Mode;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tasks that are added to a live run, and workflows that are added to its session. */
@Tag("nightly")
class GrowingRunsIT extends MarkedRuns {
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  GrowingRunsIT() {
    super("growing-runs");
  }

  @BeforeEach
  void putInputs() throws Exception {
    runs.put("data", ShellWorkflow.inputs());
    marks.open("gen");
  }

  private boolean hasGrown(LiveRun run) throws Exception {
    Path staging = new Path(runs.files().fs().getHomeDirectory(), ".weir/runs/" + run.id());
    for (FileStatus file : runs.files().fs().globStatus(new Path(staging, "journal-*"))) {
      try (InputStream in = runs.files().fs().open(file.getPath())) {
        if (new String(in.readAllBytes(), StandardCharsets.UTF_8).contains("\"graph-grown\"")) {
          return true;
        }
      }
    }
    return false;
  }

  private void killMaster(LiveRun run) {
    Processes.containing(Processes.MASTER, run.id()).destroyForcibly();
    await("the next ApplicationMaster")
        .atMost(DEADLINE)
        .until(() -> report(run).getCurrentApplicationAttemptId().getAttemptId() == 2);
  }

  @Test
  void addedTasksBelongToTheRunAfterARestartOfTheApplicationMaster() throws Exception {
    try (LiveRun run = runs.start(ShellWorkflow.held(marks), Mode.WEIR, "data", 2);
        Runs known = Runs.on(cluster.configuration())) {
      marks.awaitBegun("hold", 1);
      KnownRun growing = known.find(run.id());
      ShellWorkflow first =
          new ShellWorkflow("first")
              .task(
                  "early",
                  marks.recordBegin() + "wc -c < raw/r0.dat > early.txt",
                  List.of("raw/r0.dat"),
                  List.of("early.txt"))
              .task(
                  "last",
                  marks.recordBegin() + "cat final.txt early.txt > last.txt",
                  List.of("final.txt", "early.txt"),
                  List.of("last.txt"));
      assertThat(growing.add(first.build(), null, DEADLINE).text()).isEqualTo("2 tasks added");
      marks.awaitBegun("early", 1);
      await("journal of the addition").atMost(DEADLINE).until(() -> hasGrown(run));

      killMaster(run);

      ShellWorkflow second =
          new ShellWorkflow("second")
              .task(
                  "more",
                  marks.recordBegin() + "cat early.txt early.txt > more.txt",
                  List.of("early.txt"),
                  List.of("more.txt"));
      assertThat(growing.add(second.build(), null, DEADLINE).text()).isEqualTo("1 task added");
      assertThatThrownBy(() -> growing.add(second.build(), null, DEADLINE))
          .isInstanceOf(SteeringException.class)
          .hasMessageContaining("more");
      marks.open("hold");

      RunRecord record = run.end();
      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      assertThat(ran(record)).contains("all", "early", "last", "more");
      for (String task : List.of("hold", "early", "last", "more")) {
        assertThat(marks.begun(task)).as(task).hasSize(1);
      }
      assertThat(runs.text("data", "final.txt").lines()).hasSize(ShellWorkflow.WIDTH);
      String early = runs.text("data", "early.txt");
      assertThat(early.strip()).isEqualTo("200000");
      assertThat(runs.text("data", "last.txt")).isEqualTo(runs.text("data", "final.txt") + early);
      assertThat(runs.text("data", "more.txt")).isEqualTo(early + early);
      assertThat(growing.view().summary().tasks()).isEqualTo(13);
      assertThatThrownBy(() -> growing.add(second.build(), null, DEADLINE))
          .isInstanceOf(SteeringException.class)
          .hasMessageContaining("has ended");
    }
  }

  @Test
  void runAddedToTheSessionOfAnotherOutlivesItAfterARestart() throws Exception {
    ShellWorkflow beside =
        new ShellWorkflow("beside")
            .task(
                "wait",
                marks.recordBegin() + marks.waitFor("wait") + "echo waited > waited.txt",
                List.of(),
                List.of("waited.txt"))
            .task("next", "cat waited.txt > next.txt", List.of("waited.txt"), List.of("next.txt"));
    try (LiveRun first = runs.start(ShellWorkflow.held(marks), Mode.WEIR, "data", 2)) {
      marks.awaitBegun("hold", 1);
      try (LiveRun second = runs.startIn(first.id(), beside.build(), "two")) {
        marks.awaitBegun("wait", 1);
        marks.open("hold");
        RunRecord record = first.end();
        assertThat(record.state()).as(first.failure()).isEqualTo(RunState.SUCCEEDED);
        assertThat(report(first).getYarnApplicationState()).isEqualTo(YarnApplicationState.RUNNING);

        killMaster(first);

        marks.open("wait");
        assertThat(second.end().state()).as(second.failure()).isEqualTo(RunState.SUCCEEDED);
        assertThat(marks.begun("hold")).hasSize(1);
        assertThat(marks.begun("wait")).as("what ran was kept").hasSize(1);
        await("end of the session")
            .atMost(DEADLINE)
            .until(
                () ->
                    report(first).getFinalApplicationStatus() == FinalApplicationStatus.SUCCEEDED);
      }
    }
    assertThat(runs.text("data", "final.txt").lines()).hasSize(ShellWorkflow.WIDTH);
    assertThat(runs.text("two", "next.txt").strip()).isEqualTo("waited");
  }

  /**
   * "plan" counts parts of an input, and makes a workflow with a task for each of them and one that
   * joins what they make; "total" reads that.
   */
  private Workflow withSubWorkflow() {
    String part =
        (marks.recordBegin() + marks.waitFor("part")).replace("\"", "\\\"").replace("$", "\\$");
    String script =
        """
        n=$(( $(wc -c < in/i0.dat) / 20000 ))
        cat > sub.jx <<END
        {"rules": [
          {"command": "%s head -c " + 20000*(I+1) + " in/i0.dat | tail -c 20000 | wc -c > part." + I,
           "category": "part", "inputs": ["in/i0.dat"], "outputs": ["part." + I]} for I in range($n),
          {"command": "cat part.* > parts.txt", "category": "join",
           "inputs": ["part." + I for I in range($n)], "outputs": ["parts.txt"]}]}
        END
        """
            .formatted(part);
    Workflow parent =
        new ShellWorkflow("parent")
            .task("plan", marks.recordBegin() + script, List.of("in/i0.dat"), List.of("sub.jx"))
            .task("total", "wc -l < parts.txt > total", List.of("parts.txt"), List.of("total"))
            .build();
    Task grow =
        new Task(
            "grow",
            SubWorkflow.TYPE,
            new SubWorkflow("sub.jx", Map.of()).words(),
            List.of("sub.jx"),
            List.of("parts.txt"),
            0);
    return new Workflow(
        "parent", Stream.concat(parent.tasks().stream(), Stream.of(grow)).toList(), parent.files());
  }

  @Test
  void workflowThatATaskMadeIsAPartOfTheRunAndIsReused() throws Exception {
    Workflow workflow = withSubWorkflow();
    try (LiveRun run = runs.start(workflow, Mode.WEIR, "data", 2)) {
      marks.awaitBegun("grow.part", 1);
      await("journal of the addition").atMost(DEADLINE).until(() -> hasGrown(run));

      killMaster(run);

      marks.open("part");
      RunRecord record = run.end();
      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      assertThat(ran(record)).hasSize(8).contains("grow.part-1", "grow.join-6", "total");
    }
    assertThat(marks.begun("plan")).hasSize(1);
    assertThat(marks.begun("grow.part")).hasSize(5);
    assertThat(runs.text("data", "parts.txt").lines().map(String::strip))
        .containsExactly("20000", "20000", "20000", "20000", "20000");
    assertThat(runs.text("data", "total").strip()).isEqualTo("5");

    try (LiveRun again = runs.start(workflow, Mode.WEIR, "data", 2, "none")) {
      RunRecord record = again.end();
      assertThat(record.state()).as(again.failure()).isEqualTo(RunState.SUCCEEDED);
      assertThat(ran(record)).isEmpty();
      assertThat(record.reused())
          .extracting(ReusedTask::task)
          .hasSize(8)
          .contains("plan", "grow.part-5", "grow.join-6", "total");
    }
  }
}
