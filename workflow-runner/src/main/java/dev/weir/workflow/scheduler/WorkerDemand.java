package dev.weir.workflow.scheduler;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How many workers a run has use for, what a further one would do, and who may go. A part of a
 * {@link Dispatcher}, for the same thread.
 */
public final class WorkerDemand {

  /** What adding and taking away many shares may be wrong by. */
  private static final double ROUNDING = 1e-6;

  private final SessionGraphs session;
  private final WorkerSet crew;
  private final NodeCaches caches;
  private final ReadRate readRate;

  /**
   * With nobody there.
   *
   * @param caches hears who has gone
   * @param readRate how fast inputs have come so far
   */
  WorkerDemand(SessionGraphs session, WorkerSet crew, NodeCaches caches, ReadRate readRate) {
    this.session = session;
    this.crew = crew;
    this.caches = caches;
    this.readRate = readRate;
  }

  /**
   * What a further worker would have to do.
   *
   * @param most how many inputs there may be
   * @return what is known at this moment
   */
  public PendingInputs waiting(int most) {
    Set<String> inputs = new LinkedHashSet<>();
    for (WorkflowState graph : session.inOrder()) {
      graph.ready().inputs(most, inputs);
      // What others have ahead is taken back for a worker that has nothing to do.
      graph.ahead().inputs(most, inputs);
    }
    return new PendingInputs(List.copyOf(inputs), readRate.bytesPerSecond());
  }

  /**
   * How many workers could have something to do, were all tasks ready that are to be done.
   *
   * @return the number, at least 0
   */
  public int wanted() {
    double load = 0;
    for (WorkflowState graph : session.inOrder()) {
      load += graph.wantedWorkers();
    }
    return (int) Math.ceil(load - ROUNDING);
  }

  /**
   * Takes workers that have nothing to do for gone, those first that have been so for longest.
   *
   * @param atMost how many
   * @param since only such as have had nothing to do since then, in milliseconds since the epoch
   * @return their ids
   */
  public List<String> dismiss(int atMost, long since) {
    List<WorkerInfo> dismissed =
        crew.free(since).stream().limit(Math.max(0, atMost)).map(worker -> worker.info).toList();
    dismissed.forEach(worker -> crew.leave(worker.id()));
    dismissed.forEach(caches::left);
    return dismissed.stream().map(WorkerInfo::id).toList();
  }
}
