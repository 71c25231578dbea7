package dev.weir.workflow.dispatch;

import dev.weir.workflow.dispatch.Progress.Failed;
import dev.weir.workflow.dispatch.Progress.Running;
import dev.weir.workflow.dispatch.Progress.TypeCount;
import dev.weir.workflow.protocol.TaskReport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a run has come to so far, in numbers. Not thread-safe. */
final class Tally {

  private static final int FAILURES_KEPT = 20;
  private static final int RUNNING_SHOWN = 200;

  private final Board board;
  private final Crew crew;
  private final Paces paces;
  private final ReadRate readRate = new ReadRate();
  private final Deque<Failed> failures = new ArrayDeque<>();
  private int failedAttempts;
  private long inputBytesLocal;
  private long inputBytesRemote;

  /**
   * Nothing so far.
   *
   * @param paces learns from each attempt how long its type of task takes
   */
  Tally(Board board, Crew crew, Paces paces) {
    this.board = board;
    this.crew = crew;
    this.paces = paces;
  }

  /** An attempt has ended. */
  void count(TaskState task, WorkerInfo worker, TaskReport report, boolean failed) {
    if (failed) {
      failedAttempts++;
      if (failures.size() == FAILURES_KEPT) {
        failures.removeFirst();
      }
      failures.addLast(Failed.of(worker.node(), report));
    }
    inputBytesLocal += report.usage().inputBytesLocal() + report.usage().inputBytesCached();
    inputBytesRemote += report.usage().inputBytesRemote();
    readRate.add(report.usage());
    paces.add(task.task.type(), report);
  }

  /** At which inputs come from other nodes; 0 when too little is known. */
  long bytesPerSecond() {
    return readRate.bytesPerSecond();
  }

  /** The same as far as it is known, and else what is assumed. */
  double rate() {
    long measured = readRate.bytesPerSecond();
    return measured > 0 ? measured : TaskGraph.BYTES_PER_SECOND;
  }

  Progress progress() {
    List<String> running = new ArrayList<>();
    int waiting = board.ready().size();
    for (WorkerState worker : crew.all()) {
      worker.running().forEach(task -> running.add(task.id()));
      waiting += worker.ahead().size();
    }
    return new Progress(
        board.size(),
        board.done(),
        waiting,
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
        if (running.size() < RUNNING_SHOWN) {
          task.heldBy(worker)
              .ifPresent(
                  held ->
                      running.add(
                          new Running(
                              task.id(),
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
