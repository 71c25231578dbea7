package dev.weir.workflow.estimate;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.Effect;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** An attempt of a task on a simulated worker. Not thread-safe. */
final class SimulatedAttempt {

  private static final double MILLIS = 1_000;

  final Effect.Start start;
  final Task task;
  final SimulatedWorker worker;

  /** Inputs that are not on the node, and are not being brought there. */
  final Deque<String> toFetch = new ArrayDeque<>();

  /** Inputs, or replicas of outputs, that move now. */
  int moving;

  boolean isStaged;
  boolean hasBegun;
  boolean isGone;
  long bytesLocal;
  long bytesRemote;
  double assigned;
  double staged;
  double ended;

  SimulatedAttempt(Effect.Start start, Task task, SimulatedWorker worker, double now) {
    this.start = start;
    this.task = task;
    this.worker = worker;
    this.assigned = now;
  }

  TaskReport report(List<StoredFile> outputs, double now) {
    long bytes = outputs.stream().mapToLong(StoredFile::sizeBytes).sum();
    long remote = bytesRemote == 0 ? 0 : millis(staged - assigned);
    return new TaskReport(
        start.task(),
        start.attempt(),
        TaskReport.Result.SUCCEEDED,
        0,
        "",
        "",
        List.of(),
        outputs,
        new Usage(
            millis(staged - assigned) - remote,
            remote,
            Math.max(0, millis(ended - staged)),
            millis(now - ended),
            bytesLocal,
            bytesRemote,
            bytes,
            0));
  }

  private static long millis(double seconds) {
    return Math.round(seconds * MILLIS);
  }
}
