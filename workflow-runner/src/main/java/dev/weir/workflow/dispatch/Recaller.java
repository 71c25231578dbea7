package dev.weir.workflow.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Which tasks are taken from workers that have them ahead, because another worker has nothing to
 * do. The worker that has a task decides: once its command runs it stays where it is.
 */
final class Recaller {

  /** With many idle workers and little that pays, the rest waits for the next event. */
  private static final int MOST_TRIES = 16;

  private final TaskQueue ahead;
  private final Crew crew;
  private final BiConsumer<TaskState, WorkerState> recall;

  /**
   * A recaller.
   *
   * @param ahead tasks that a worker has ahead and that are not recalled yet
   * @param recall takes a task from its worker for another; it is not in the queue afterwards
   */
  Recaller(TaskQueue ahead, Crew crew, BiConsumer<TaskState, WorkerState> recall) {
    this.ahead = ahead;
    this.crew = crew;
    this.recall = recall;
  }

  /** Finds something for workers that have room; to be called when no task is ready. */
  void recall() {
    if (ahead.isEmpty() || crew.idle().isEmpty()) {
      return;
    }
    List<WorkerState> takers = new ArrayList<>();
    for (WorkerState worker : crew.idle().all()) {
      if (takers.size() == MOST_TRIES) {
        break;
      }
      if (worker.awaited == null) {
        takers.add(worker);
      }
    }
    for (WorkerState taker : takers) {
      recallFor(taker);
    }
  }

  private void recallFor(WorkerState taker) {
    int tries = 0;
    for (Place place : ahead.on(taker.info.node())) {
      if (pays(place.task(), taker)) {
        recall.accept(place.task(), taker);
        return;
      }
      if (++tries == MOST_TRIES) {
        break;
      }
    }
    tries = 0;
    for (TaskState task : ahead.all()) {
      if (pays(task, taker)) {
        recall.accept(task, taker);
        return;
      }
      if (++tries == MOST_TRIES) {
        return;
      }
    }
  }

  /** Whether moving what the taker's node lacks takes less time than what it would wait for. */
  private boolean pays(TaskState task, WorkerState taker) {
    WorkerState holder = task.worker;
    if (holder == null
        || holder == taker
        || task.hasTwinOn(taker)
        || !taker.canStart(task.needs)
        || !crew.allows(task, taker.info.node())) {
      return false;
    }
    double wait = Double.MAX_VALUE;
    for (TaskState running : holder.running()) {
      wait = Math.min(wait, running.seconds);
    }
    long bytes = 0;
    for (FileState input : task.inputs) {
      bytes += task.bytesOf(input);
    }
    long missing = Math.max(0, bytes - task.bytesOn(taker.info.node()));
    return missing / TaskGraph.BYTES_PER_SECOND <= wait;
  }
}
