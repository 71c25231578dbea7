package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run on nodes {@code n1}, {@code n2} and so on, each with a worker of that name, in which tasks
 * wait for busy workers. The type of a task is its name without digits.
 */
public final class WaitingRun {

  public static final long SMALL = 1_000;

  /** Ten seconds at the rate that is assumed when none was measured. */
  public static final long LARGE = 1_000_000_000;

  /** One task runs on a worker, and one waits there. */
  public static final WorkerSize ONE_AHEAD = new WorkerSize(1, 1L << 30, 1);

  /** The time of the start, in milliseconds since the epoch. */
  public static final long NOW = 100_000;

  private final Map<String, DataFile> files = new LinkedHashMap<>();
  private final Map<String, Map<String, Long>> places = new HashMap<>();
  private final List<Task> tasks = new ArrayList<>();
  private final Map<String, Effect.Start> started = new HashMap<>();
  private @Nullable Dispatcher dispatcher;
  private long now = NOW;
  private int steeringRequests;

  /** n1 is busy for a declared 3 s; the next task follows the first one on n2. */
  static WaitingRun busyForThreeSeconds() {
    return new WaitingRun()
        .file("one", SMALL, "n1")
        .file("far", SMALL, "n2")
        .task("run", 3, "one")
        .task("first", 9, "far");
  }

  /** The same, and the next task waits for n1, which has its input. */
  static WaitingRun waitingForBusyWorker() {
    WaitingRun run =
        busyForThreeSeconds()
            .file("two", LARGE, "n1")
            .task("next", 1, "two", "first")
            .begin(2, ONE_AHEAD);
    run.ended("first");
    assertThat(run.nodeOf("next")).isEqualTo("n1");
    assertThat(run.dispatcher().progress().running()).containsExactly("run");
    return run;
  }

  /** A file that is wholly on each of these nodes. */
  WaitingRun file(String id, long bytes, String... nodes) {
    for (String node : nodes) {
      part(id, bytes, node, bytes);
    }
    return this;
  }

  /** A file with this many bytes on a node. */
  WaitingRun part(String id, long bytes, String node, long there) {
    files.put(id, new DataFile(id, bytes));
    places.computeIfAbsent(id, file -> new HashMap<>()).put(node, there);
    return this;
  }

  /** A task that needs one core. */
  WaitingRun task(String id, double seconds, String input, String... after) {
    return task(id, 1, seconds, input, after);
  }

  /**
   * A task.
   *
   * @param seconds declared run time; 0 when not known
   * @param input a file, or a region of one
   */
  WaitingRun task(String id, int cores, double seconds, String input, String... after) {
    tasks.add(
        new Task(
            id,
            id.replaceAll("[0-9]", ""),
            List.of("true"),
            List.of(input),
            List.of(),
            List.of(after),
            seconds,
            new TaskNeeds(cores, 0, 0)));
    return this;
  }

  /** Starts the run with this many nodes. */
  WaitingRun begin(int nodes, WorkerSize size) {
    return begin(nodes, size, AssignmentPolicy.DATA_AWARE);
  }

  /** Starts the run with this many nodes and a policy. */
  WaitingRun begin(int nodes, WorkerSize size, AssignmentPolicy policy) {
    Dispatcher fresh =
        Dispatchers.of(new Workflow("test", tasks, files), policy, new Limits(3, 4), size);
    dispatcher = fresh;
    places.forEach(fresh::locate);
    for (int i = 1; i <= nodes; i++) {
      note(fresh.workerJoined(new WorkerInfo("n" + i, "n" + i, "/r"), now));
    }
    note(fresh.start(now));
    return this;
  }

  Dispatcher dispatcher() {
    return Objects.requireNonNull(dispatcher, "it has not begun");
  }

  Step note(Step step) {
    step.effects().stream()
        .filter(Effect.Start.class::isInstance)
        .map(Effect.Start.class::cast)
        .forEach(start -> started.put(start.task(), start));
    return step;
  }

  /** Its last attempt. */
  Effect.Start attempt(String task) {
    return Objects.requireNonNull(started.get(task), () -> task + " was not assigned");
  }

  /** The node whose worker has it. */
  String nodeOf(String task) {
    return attempt(task).worker();
  }

  /** Sets the time, in seconds after the start, without an event. */
  WaitingRun at(double seconds) {
    now = NOW + Math.round(seconds * 1_000);
    return this;
  }

  Step tick() {
    return note(dispatcher().tick(now));
  }

  /** Reports that a task has succeeded after five seconds. */
  Step ended(String task) {
    Effect.Start start = attempt(task);
    TaskReport report = Reports.took(Reports.succeeded(start, start.worker(), 0), 5_000);
    return note(dispatcher().reported(start.worker(), report, now));
  }

  /** Reports that its worker has given it back. */
  Step givenBack(String task) {
    Effect.Start start = attempt(task);
    return note(dispatcher().reported(start.worker(), Reports.recalled(start), now));
  }

  /** Reports that its worker has begun it. */
  Step begun(String task) {
    Effect.Start start = attempt(task);
    return note(dispatcher().begun(start.worker(), task, start.attempt(), now));
  }

  Step steered(Steering.Action action, String tasks) {
    return steered(Steering.of(action, tasks));
  }

  Step steered(Steering request) {
    return note(dispatcher().steer("", "request" + steeringRequests++, request, now));
  }

  /** The effect that takes a task back. */
  Effect.Recall recall(String task) {
    Effect.Start start = attempt(task);
    return new Effect.Recall(start.worker(), task, start.attempt());
  }
}
