package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.state.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Nodes that fail tasks which other nodes do. */
class NodeBlacklistTest {

  private static final WorkerInfo GOOD = new WorkerInfo("good", "n1", "/r");
  private static final WorkerInfo BAD = new WorkerInfo("bad", "n2", "/r");
  private static final Limits LIMITS = new Limits(3, 4);
  private static final int TASKS = 20;

  private final NodeBlacklist nodeBlacklist = new NodeBlacklist();
  private final List<Effect.Start> hasAttempts = new ArrayList<>();
  private final Dispatcher dispatcher =
      Dispatchers.of(Graphs.of(tasks()), AssignmentPolicy.FIFO, LIMITS);
  private long now = 1_000;

  private static List<Task> tasks() {
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      tasks.add(Graphs.idle("t" + i, ResourceNeeds.ONE_CORE));
    }
    return tasks;
  }

  private static TaskState state(String id, String type) {
    Task task = new Task(id, type, List.of("true"), List.of(), List.of(), 1);
    return Graphs.state(task, List.of(), List.of(), 0);
  }

  /** Fails tasks of a type on n2; returns whether the node is to be blacklisted after the last. */
  private boolean fail(String type, int tasks) {
    boolean blacklisted = false;
    for (int i = 0; i < tasks; i++) {
      blacklisted = nodeBlacklist.failed(state(type + i, type), "n2");
    }
    return blacklisted;
  }

  @Test
  void fiveFailedTasksOfATypeDoneElsewhereBlacklistTheNode() {
    assertThat(fail("a", NodeBlacklist.TASKS)).as("no task was done").isFalse();
    assertThat(nodeBlacklist.succeeded(state("x", "b"), "n1")).isEmpty();
    assertThat(nodeBlacklist.succeeded(state("y", "a"), "n1")).containsExactly("n2");
    assertThat(nodeBlacklist.succeeded(state("z", "a"), "n3")).as("that is known").isEmpty();
    assertThat(nodeBlacklist.failed(state("a9", "a"), "n2")).as("and it goes on").isTrue();
  }

  @Test
  void repeatedFailuresOfATaskCountOnce() {
    assertThat(nodeBlacklist.succeeded(state("x", "a"), "n1")).isEmpty();
    for (int i = 0; i < NodeBlacklist.TASKS; i++) {
      assertThat(nodeBlacklist.failed(state("same", "a"), "n2")).isFalse();
      assertThat(nodeBlacklist.succeeded(state("x", "a"), "n1")).isEmpty();
    }
  }

  @Test
  void tasksThatFailEverywhereBlacklistNoNode() {
    assertThat(fail("a", 2 * NodeBlacklist.TASKS)).isFalse();
    assertThat(nodeBlacklist.failed(state("a", "a"), "n1")).isFalse();
    assertThat(nodeBlacklist.succeeded(state("b", "b"), "n3")).isEmpty();
  }

  @Test
  void aSuccessClearsTheFailuresOfANode() {
    fail("a", NodeBlacklist.TASKS - 1);
    assertThat(nodeBlacklist.succeeded(state("x", "a"), "n1")).isEmpty();
    assertThat(nodeBlacklist.succeeded(state("y", "b"), "n2")).isEmpty();

    assertThat(fail("a", 1)).isFalse();
  }

  @Test
  void aNodeWhereAllTasksFailIsBlacklistedForAMinute() {
    dispatcher.start(now);
    take(dispatcher.workerJoined(GOOD, now));
    take(dispatcher.workerJoined(BAD, now));

    int failures = 0;
    while (of("bad").isPresent()) {
      Effect.Start bad = of("bad").orElseThrow();
      end(Reports.failed(bad, 1), bad);
      failures++;
      Effect.Start good = of("good").orElseThrow();
      end(Reports.succeeded(good, "n1", 0), good);
      assertThat(failures).isLessThan(TASKS);
    }
    assertThat(failures).isEqualTo(NodeBlacklist.TASKS);

    now += 60_000;
    take(dispatcher.tick(now));

    assertThat(of("bad")).as("it may be well again").isPresent();
  }

  private Optional<Effect.Start> of(String worker) {
    return hasAttempts.stream().filter(start -> start.worker().equals(worker)).findFirst();
  }

  private void end(TaskReport report, Effect.Start start) {
    hasAttempts.remove(start);
    take(dispatcher.reported(start.worker(), report, ++now));
  }

  private void take(Step step) {
    for (Effect effect : step.effects()) {
      if (effect instanceof Effect.Start start) {
        hasAttempts.add(start);
      }
    }
  }
}
