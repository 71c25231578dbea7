package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.WorkerRecord;
import dev.weir.workflow.staging.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers outlive the ApplicationMaster of their run, but not the run. */
@Tag("nightly")
class SurvivalIT extends MarkedRuns {

  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final int WORKERS = 2;
  private static final int TASKS = 6;

  SurvivalIT() {
    super("survival");
  }

  /** Tasks that each wait for their own gate, and one that reads their outputs. */
  private ShellWorkflow waiting() {
    ShellWorkflow workflow = new ShellWorkflow("survival");
    List<String> outputs = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      workflow.task(
          "wait" + i,
          marks.recordBegin() + marks.waitFor("wait" + i) + "echo " + i + " > f" + i,
          List.of(),
          List.of("f" + i));
      outputs.add("f" + i);
    }
    return workflow.task(
        "all", "cat " + String.join(" ", outputs) + " > final.txt", outputs, List.of("final.txt"));
  }

  private long worker(Marks.Begun task) {
    return Processes.ancestor(task.pid(), Processes.WORKER).pid();
  }

  @Test
  void theSecondApplicationMasterKeepsWorkersAndTheirTasks() throws Exception {
    try (LiveRun run = runs.start(waiting().build(), Mode.WEIR, "data", WORKERS)) {
      marks.awaitBegun("wait", WORKERS);
      Set<Long> workers = new TreeSet<>();
      marks.begun("wait").forEach(task -> workers.add(worker(task)));
      assertThat(workers).hasSize(WORKERS);
      ProcessHandle master = Processes.containing(Processes.MASTER, run.id());

      master.destroyForcibly();

      await("end of the ApplicationMaster").until(() -> Processes.hasEnded(master.pid()));
      // The task ends while there is no ApplicationMaster, and its worker starts its next task.
      marks.open(marks.begun("wait").get(0).task());
      marks.awaitBegun("wait", WORKERS + 1);
      await("the next ApplicationMaster")
          .atMost(DEADLINE)
          .until(
              () -> {
                ApplicationReport now = report(run);
                return now.getYarnApplicationState() == YarnApplicationState.RUNNING
                    && now.getCurrentApplicationAttemptId().getAttemptId() == 2;
              });
      marks.open(marks.begun("wait").get(1).task());
      marks.awaitBegun("wait", WORKERS + 2);
      assertThat(workers).contains(worker(marks.begun("wait").get(WORKERS + 1)));
      assertThat(workers).allMatch(pid -> !Processes.hasEnded(pid));
      for (int i = 0; i < TASKS; i++) {
        String task = "wait" + i;
        if (marks.begun("wait").stream().limit(2).noneMatch(begun -> begun.task().equals(task))) {
          marks.open(task);
        }
      }

      RunRecord record = run.end();
      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      assertThat(marks.begun("wait"))
          .as("beginnings of commands")
          .extracting(Marks.Begun::task)
          .doesNotHaveDuplicates()
          .hasSize(TASKS);
      assertThat(record.tasks())
          .hasSize(TASKS + 1)
          .extracting(TaskRecord::outcome)
          .containsOnly(Outcome.SUCCEEDED);
      assertThat(record.workers())
          .extracting(WorkerRecord::id)
          .as("workers; none was replaced")
          .hasSize(WORKERS);
      assertThat(runs.text("data", "final.txt")).isEqualTo("0\n1\n2\n3\n4\n5\n");
    }
  }

  @Test
  void aWorkerThatDoesNotReconnectIsReplaced() throws Exception {
    try (LiveRun run = runs.start(waiting().build(), Mode.WEIR, "data", WORKERS)) {
      marks.awaitBegun("wait", WORKERS);
      Marks.Begun victim = marks.begun("wait").get(0);
      Marks.Begun other = marks.begun("wait").get(1);
      long hanging = worker(victim);
      ProcessHandle master = Processes.containing(Processes.MASTER, run.id());

      assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(hanging)).start().waitFor())
          .isZero();
      master.destroyForcibly();

      await("end of the hanging worker and of its command")
          .atMost(DEADLINE)
          .until(() -> Processes.hasEnded(hanging) && Processes.hasEnded(victim.pid()));
      await("second attempt of " + victim.task())
          .atMost(DEADLINE)
          .until(() -> marks.begun(victim.task()).size() == 2);
      assertThat(worker(marks.begun(victim.task()).get(1)))
          .as("the new worker")
          .isNotIn(hanging, worker(other));
      for (int i = 0; i < TASKS; i++) {
        marks.open("wait" + i);
      }
      RunRecord record = run.end();
      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      assertThat(marks.begun(other.task())).as("beginnings of the undisturbed task").hasSize(1);
      assertThat(runs.text("data", "final.txt")).isEqualTo("0\n1\n2\n3\n4\n5\n");
    }
  }

  @Test
  void killingARunWithoutAnApplicationMasterEndsAllProcesses() throws Exception {
    try (LiveRun run = runs.start(waiting().build(), Mode.WEIR, "data", WORKERS);
        YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(cluster.configuration());
      yarn.start();
      marks.awaitBegun("wait", WORKERS);
      List<Long> processes = new ArrayList<>();
      for (Marks.Begun task : marks.begun("wait")) {
        processes.add(task.pid());
        processes.add(worker(task));
      }
      ProcessHandle master = Processes.containing(Processes.MASTER, run.id());

      master.destroyForcibly();
      await("end of the ApplicationMaster").until(() -> Processes.hasEnded(master.pid()));
      yarn.killApplication(ApplicationId.fromString(run.id()));

      await("end of workers and commands")
          .atMost(Duration.ofSeconds(30))
          .until(() -> processes.stream().allMatch(Processes::hasEnded));
    }
  }
}
