package dev.weir.workflow.scheduler;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What ran in workers that are gone: YARN says a moment later that it has killed one for the memory
 * that its tasks took, and by then they are with others. A part of a {@link Dispatcher}, for the
 * same thread.
 */
public final class MemoryKillTracker {

  /** So many workers are remembered; what YARN says of one comes within seconds. */
  private static final int MOST = 100;

  private final StepBuilder turn;
  private final Function<TaskState, AttemptCompletion> outcomes;
  private final Supplier<Step> step;
  private final Map<String, Ran> ran = new LinkedHashMap<>();

  /**
   * What ran in a worker.
   *
   * @param alone whether it was one task
   * @param lostMillis when it was gone, in milliseconds since the epoch
   */
  record Ran(WorkerInfo worker, List<TaskState> tasks, boolean alone, long lostMillis) {

    private Ran without(WorkflowState graph) {
      List<TaskState> rest = tasks.stream().filter(task -> task.graph != graph).toList();
      return new Ran(worker, rest, alone, lostMillis);
    }
  }

  /**
   * Nobody is gone.
   *
   * @param outcomes judges the tasks
   * @param step assigns what can be assigned after an event
   */
  MemoryKillTracker(
      StepBuilder turn, Function<TaskState, AttemptCompletion> outcomes, Supplier<Step> step) {
    this.turn = turn;
    this.outcomes = outcomes;
    this.step = step;
  }

  /** A worker is gone, and still has in hand what it ran. */
  void lost(WorkerState worker) {
    List<TaskState> tasks = List.copyOf(worker.running());
    ran.put(worker.info.id(), new Ran(worker.info, tasks, tasks.size() == 1, turn.now()));
    if (ran.size() > MOST) {
      ran.remove(ran.keySet().iterator().next());
    }
  }

  /** A graph is not known any more. */
  void forget(WorkflowState graph) {
    ran.replaceAll((worker, gone) -> gone.without(graph));
  }

  /**
   * A worker that is gone was killed for the memory of what ran in it. Each of these tasks gets
   * more from its next attempt on. One that ran alone is the one that took it: the second time that
   * is its failure, and an attempt that has begun since with no more than before is stopped.
   *
   * @param workerId id of the worker; one that is not known to be gone is ignored
   * @param reason what was said of it
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step killedForMemory(String workerId, String reason, long time) {
    turn.begin(time);
    Ran gone = ran.remove(workerId);
    if (gone != null) {
      for (TaskState task : gone.tasks) {
        if (!task.settled() && !task.graph.over) {
          outcomes.apply(task).starved(task, gone, reason);
        }
      }
    }
    return step.get();
  }
}
