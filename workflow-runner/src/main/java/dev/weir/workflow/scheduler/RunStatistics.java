package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.Progress.Failed;
import dev.weir.workflow.scheduler.Progress.Running;
import dev.weir.workflow.scheduler.Progress.TypeCount;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a run has come to so far, in numbers. Not thread-safe. */
final class RunStatistics {

  private static final int FAILURES_KEPT = 20;
  private static final int RUNNING_SHOWN = 200;

  private final WorkflowState board;
  private final WorkerSet crew;
  private final ReadRate readRate;
  private final Deque<Failed> failures = new ArrayDeque<>();
  private int failedAttempts;
  private long inputBytesLocal;
  private long inputBytesRemote;

  /** Nothing so far. */
  RunStatistics(SchedulerContext scene) {
    this.board = scene.board();
    this.crew = scene.crew();
    this.readRate = scene.readRate();
  }

  /** An attempt has ended. */
  void count(TaskState task, WorkerInfo worker, TaskReport report, boolean failed) {
    if (failed) {
      failedAttempts++;
      if (failures.size() == FAILURES_KEPT) {
        failures.removeFirst();
      }
      failures.addLast(Failed.of(task, worker.node(), report));
    }
    inputBytesLocal += report.usage().inputBytesLocal() + report.usage().inputBytesCached();
    inputBytesRemote += report.usage().inputBytesRemote();
    readRate.add(report.usage());
    board.paces.add(task.task.type(), report);
  }

  /** What runs goes by the ids of the workflow. */
  Progress progress() {
    List<String> running = new ArrayList<>();
    int waiting = 0;
    for (WorkerState worker : crew.all()) {
      for (TaskState task : worker.running()) {
        if (task.graph == board) {
          running.add(task.task.id());
        }
      }
      for (TaskState task : worker.ahead()) {
        waiting += task.graph == board ? 1 : 0;
      }
    }
    return progress(running, waiting);
  }

  /**
   * The same where it is known what workers have.
   *
   * @param running ids of what runs
   * @param ahead how many tasks workers have ahead
   */
  Progress progress(List<String> running, int ahead) {
    return new Progress(
        board.size(),
        board.done(),
        board.ready().size() + ahead,
        running,
        crew.size(),
        failedAttempts,
        inputBytesLocal,
        inputBytesRemote);
  }

  /**
   * Looks at every task, which {@link #progress} does not.
   *
   * @param givenUp what the run goes on without
   */
  Progress.Details details(GivenUp givenUp) {
    Map<String, Map<Column, Integer>> types = new TreeMap<>();
    int held = 0;
    for (TaskState task : board.all()) {
      types
          .computeIfAbsent(task.task.type(), type -> new EnumMap<>(Column.class))
          .merge(Column.of(task), 1, Integer::sum);
      held += !task.settled() && (board.paused() || task.held) ? 1 : 0;
    }
    List<TypeCount> counted = new ArrayList<>(types.size());
    types.forEach((type, counts) -> counted.add(typeCount(type, counts)));
    return new Progress.Details(
        board.paused(),
        held,
        board.dropped(),
        board.reused(),
        counted,
        running(),
        List.copyOf(failures),
        givenUp);
  }

  private static TypeCount typeCount(String type, Map<Column, Integer> counts) {
    return new TypeCount(
        type,
        counts.getOrDefault(Column.WAITING, 0),
        counts.getOrDefault(Column.READY, 0),
        counts.getOrDefault(Column.RUNNING, 0),
        counts.getOrDefault(Column.DONE, 0),
        counts.getOrDefault(Column.DROPPED, 0));
  }

  private List<Running> running() {
    List<Running> running = new ArrayList<>();
    for (WorkerState worker : crew.all()) {
      for (TaskState task : worker.running()) {
        if (task.graph == board && running.size() < RUNNING_SHOWN) {
          task.heldBy(worker)
              .ifPresent(
                  held ->
                      running.add(
                          new Running(
                              task.task.id(),
                              held.attempt(),
                              worker.info.id(),
                              worker.info.node(),
                              held.begunMillis())));
        }
      }
    }
    return running;
  }

  private enum Column {
    WAITING,
    READY,
    RUNNING,
    DONE,
    DROPPED;

    /** What a worker has ahead waits for it like what is ready. */
    static Column of(TaskState task) {
      return switch (task.status) {
        case WAITING -> WAITING;
        case READY -> READY;
        case GIVEN -> task.ahead ? READY : RUNNING;
        case DONE -> DONE;
        case DROPPED -> DROPPED;
      };
    }
  }
}
