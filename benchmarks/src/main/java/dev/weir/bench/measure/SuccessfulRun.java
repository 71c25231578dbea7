package dev.weir.bench.measure;

import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.RunHandle;
import dev.weir.workflow.run.RunRequest;
import dev.weir.workflow.run.RunnerJars;
import dev.weir.workflow.run.WorkflowRunner;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/** Runs a workflow that is to be measured: one that fails says nothing of times. */
public final class SuccessfulRun {

  private SuccessfulRun() {}

  /**
   * Runs a workflow to its end.
   *
   * @param conf the cluster's
   * @param request what to run
   * @param limit after which it is killed
   * @param label what the run is called when it fails
   * @throws IOException when it does not succeed in time; the message says why
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
