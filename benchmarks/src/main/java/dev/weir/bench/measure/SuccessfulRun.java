package dev.weir.bench.measure;

import dev.weir.workflow.client.RunHandle;
import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.client.WorkflowRunner;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.staging.RunnerJars;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/** Runs a workflow for a measurement. A failed run has no meaningful times. */
public final class SuccessfulRun {

  private SuccessfulRun() {}

  /**
   * Runs a workflow to its end.
   *
   * @param conf the cluster's
   * @param limit the run is killed after it
   * @param label the name of the run in messages
   * @throws IOException if it does not succeed in time; the message says why
   */
  public static RunRecord of(Configuration conf, RunRequest request, Duration limit, String label)
      throws IOException, InterruptedException {
    try (RunHandle handle = new WorkflowRunner(conf, RunnerJars.ofThisProcess()).submit(request)) {
      RunRecord run =
          RunTimeout.within(limit, label, handle::kill, () -> handle.await(progress -> {}));
      if (run.state() != RunState.SUCCEEDED) {
        throw new IOException(
            label + ": the run failed: " + handle.failure().map(Object::toString).orElse("?"));
      }
      return run;
    }
  }
}
