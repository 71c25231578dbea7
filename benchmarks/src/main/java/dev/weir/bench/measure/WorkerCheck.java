package dev.weir.bench.measure;

import dev.weir.bench.series.CountedTasks;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.WorkerRecord;
import java.io.IOException;
import java.time.Instant;

/** Checks the workers at a run's first task: every setup must have the same workers. */
public final class WorkerCheck {
  private WorkerCheck() {}

  /**
   * Checks that each node had a worker.
   *
   * @param nodes the number of nodes
   * @throws IOException if a node had none, or one that came late
   * @throws IllegalArgumentException if no task of the run succeeded
   */
  public static void require(RunRecord run, int nodes) throws IOException {
    Instant begin = CountedTasks.of(run).begin();
    long nodesWithWorker =
        run.workers().stream()
            .filter(worker -> !worker.started().isAfter(begin))
            .map(WorkerRecord::node)
            .distinct()
            .count();
    if (nodesWithWorker != nodes) {
      throw new IOException(
          run.runId()
              + " had workers on "
              + nodesWithWorker
              + " of "
              + nodes
              + " nodes when its first task began: it cannot be compared with others");
    }
  }
}
