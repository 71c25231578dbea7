package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.GivenUp;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.Progress.Failed;
import dev.weir.workflow.scheduler.api.Progress.Running;
import dev.weir.workflow.scheduler.api.Progress.TypeCount;
import dev.weir.workflow.scheduler.api.Progress.WaitingCount;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.TaskState.Status;
import dev.weir.workflow.scheduler.state.WorkerSet;
import dev.weir.workflow.scheduler.state.WorkerState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Statistics of a graph. Not thread-safe. */
final class RunStatistics {

  private static final int FAILURES_KEPT = 20;
  private static final int RUNNING_SHOWN = 200;
  private static final int WAITING_SHOWN = 10;

  private final WorkflowState graph;
  private final WorkerSet workers;
  private final List<Failed> failures = new ArrayList<>();
  private int failedAttempts;
  private long inputBytesLocal;
  private long inputBytesRemote;

  RunStatistics(WorkflowState graph) {
    this.graph = graph;
    this.workers = graph.session().workers();
  }

  /** The failed attempt that a report describes. */
  static Failed failed(TaskState task, String node, TaskReport report) {
    return new Failed(
        task.task().id(), report.attempt(), node, report.exitCode(), report.firstLine());
  }

  /** Counts an ended attempt. */
  void count(TaskState task, WorkerInfo worker, TaskReport report, boolean failed) {
    if (failed) {
      failedAttempts++;
      if (failures.size() == FAILURES_KEPT) {
        failures.remove(0);
      }
      failures.add(failed(task, worker.node(), report));
    }
    inputBytesLocal += report.usage().inputBytesLocal() + report.usage().inputBytesCached();
    inputBytesRemote += report.usage().inputBytesRemote();
    graph.session().readRate().add(report.usage());
    graph.estimates().add(task.task().type(), report);
  }

  /** Replaces the reason of the last attempt that a task lost with a worker of a node. */
  void explainLoss(TaskState task, String node, String reason) {
    for (int i = failures.size() - 1; i >= 0; i--) {
      Failed lost = failures.get(i);
      if (lost.task().equals(task.task().id()) && lost.node().equals(node)) {
        failures.set(i, new Failed(lost.task(), lost.attempt(), node, lost.exitCode(), reason));
        return;
      }
    }
  }

  /** Returns the progress, with the ids of the workflow. */
  Progress progress() {
    List<String> running = new ArrayList<>();
    int waiting = 0;
    for (WorkerState worker : workers.all()) {
      for (TaskState task : worker.running()) {
        if (task.graph() == graph) {
          running.add(task.task().id());
        }
      }
      for (TaskState task : worker.ahead()) {
        waiting += task.graph() == graph ? 1 : 0;
      }
    }
    return progress(running, waiting);
  }

  /**
   * Returns the progress of a graph whose assigned tasks are counted by the caller.
   *
   * @param ahead how many tasks are ahead
   */
  Progress progress(List<String> running, int ahead) {
    return new Progress(
        graph.size(),
        graph.done(),
        graph.ready().size() + graph.readyTasks().dedicated().size() + ahead,
        running,
        workers.size(),
        failedAttempts,
        inputBytesLocal,
        inputBytesRemote);
  }

  /**
   * Returns the details of the progress. Looks at every task, which {@link #progress} does not.
   *
   * @param givenUp the tasks that will not be done
   */
  Progress.Details details(GivenUp givenUp) {
    Map<String, Map<Status, Integer>> types = new TreeMap<>();
    int held = 0;
    for (TaskState task : graph.all()) {
      types
          .computeIfAbsent(task.task().type(), type -> new EnumMap<>(Status.class))
          // A task ahead still waits for its worker, like a ready task.
          .merge(
              task.status() == Status.ASSIGNED && task.isAhead() ? Status.READY : task.status(),
              1,
              Integer::sum);
      held += !task.settled() && (graph.readyTasks().paused() || task.isHeld()) ? 1 : 0;
    }
    List<TypeCount> counted = new ArrayList<>(types.size());
    types.forEach((type, counts) -> counted.add(typeCount(type, counts)));
    return new Progress.Details(
        graph.readyTasks().paused(),
        held,
        graph.dropped(),
        graph.reused(),
        counted,
        running(),
        List.copyOf(failures),
        givenUp,
        waiting());
  }

  private List<WaitingCount> waiting() {
    Map<ResourceNeeds, Integer> tasks = new HashMap<>();
    for (TaskState task : graph.readyTasks().dedicated().all()) {
      tasks.merge(task.needs(), 1, Integer::sum);
    }
    List<WaitingCount> waiting = new ArrayList<>();
    tasks.forEach((needs, number) -> waiting.add(new WaitingCount(needs.inWords(), number)));
    waiting.sort(
        Comparator.comparingInt(WaitingCount::tasks).reversed().thenComparing(WaitingCount::needs));
    return waiting.subList(0, Math.min(WAITING_SHOWN, waiting.size()));
  }

  private static TypeCount typeCount(String type, Map<Status, Integer> counts) {
    return new TypeCount(
        type,
        counts.getOrDefault(Status.WAITING, 0),
        counts.getOrDefault(Status.READY, 0),
        counts.getOrDefault(Status.ASSIGNED, 0),
        counts.getOrDefault(Status.DONE, 0),
        counts.getOrDefault(Status.DROPPED, 0));
  }

  private List<Running> running() {
    List<Running> running = new ArrayList<>();
    for (WorkerState worker : workers.all()) {
      for (TaskState task : worker.running()) {
        if (task.graph() == graph && running.size() < RUNNING_SHOWN) {
          task.attemptOn(worker)
              .ifPresent(
                  held ->
                      running.add(
                          new Running(
                              task.task().id(),
                              held.attempt(),
                              worker.info().id(),
                              worker.info().node(),
                              held.begunMillis())));
        }
      }
    }
    return running;
  }
}
