package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.TaskReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run on nodes {@code n1}, {@code n2} and so on, of which each has a worker of that name, and in
 * which tasks wait for busy ones. A task is of the type of its name without digits.
 */
final class WaitingRun {

  static final long SMALL = 1_000;

  /** Ten seconds at what is assumed where nothing was measured. */
  static final long LARGE = 1_000_000_000;

  /** One task runs on a worker, and one waits there. */
  static final WorkerSize ONE_AHEAD = new WorkerSize(1, 1L << 30, 1);

  /** The time of the start, in milliseconds since the epoch. */
  static final long NOW = 100_000;

  private final Map<String, DataFile> files = new LinkedHashMap<>();
  private final Map<String, Map<String, Long>> places = new HashMap<>();
  private final List<Task> tasks = new ArrayList<>();
  private final Map<String, Effect.Start> started = new HashMap<>();
  private @Nullable Dispatcher dispatcher;
  private long now = NOW;
  private int steeringRequests;

  /** n1 is busy for 3 s as declared; what is next comes after the first one on n2. */
  static WaitingRun busyForThreeSeconds() {
    return new WaitingRun()
        .file("one", SMALL, "n1")
        .file("far", SMALL, "n2")
        .task("run", 3, "one")
        .task("first", 9, "far");
  }

  /** The same, and it waits for n1, which has its input. */
  static WaitingRun keptWaiting() {
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

  /** A file that is there, as a whole on each of these nodes. */
  WaitingRun file(String id, long bytes, String... nodes) {
    for (String node : nodes) {
      part(id, bytes, node, bytes);
    }
    return this;
  }

  /** A file that is there, with so much of it on a node. */
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
   * @param seconds how long it takes as declared; 0 when that is not known
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

  /** Starts it with so many nodes. */
  WaitingRun begin(int nodes, WorkerSize size) {
    return begin(nodes, size, Policy.DATA_AWARE);
  }

  /** Starts it with so many nodes and another way to choose. */
  WaitingRun begin(int nodes, WorkerSize size, Policy policy) {
    Dispatcher fresh =
        new Dispatcher(new Workflow("test", tasks, files), policy, new Limits(3, 4), size);
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
    return Objects.requireNonNull(started.get(task), () -> task + " was given to nobody");
  }

  /** The node whose worker has it. */
  String nodeOf(String task) {
    return attempt(task).worker();
  }

  /** So many seconds after the start; nothing is told. */
  WaitingRun at(double seconds) {
    now = NOW + Math.round(seconds * 1_000);
    return this;
  }

  Step tick() {
    return note(dispatcher().tick(now));
  }

  /** A task has succeeded, after five seconds by its report. */
  Step ended(String task) {
    Effect.Start start = attempt(task);
    TaskReport report = Reports.took(Reports.succeeded(start, start.worker(), 0), 5_000);
    return note(dispatcher().reported(start.worker(), report, now));
  }

  /** Its worker has given it back. */
  Step givenBack(String task) {
    Effect.Start start = attempt(task);
    return note(dispatcher().reported(start.worker(), Reports.recalled(start), now));
  }

  /** Its worker has begun it. */
  Step begun(String task) {
    Effect.Start start = attempt(task);
    return note(dispatcher().begun(start.worker(), task, start.attempt(), now));
  }

  Step steered(Steering.Action action, String tasks) {
    return steered(Steering.of(action, tasks));
  }

  Step steered(Steering request) {
    return note(dispatcher().steer("", "wish" + steeringRequests++, request, now));
  }

  /** That a task is asked back. */
  Effect.Recall recall(String task) {
    Effect.Start start = attempt(task);
    return new Effect.Recall(start.worker(), task, start.attempt());
  }
}
