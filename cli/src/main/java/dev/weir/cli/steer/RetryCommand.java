package dev.weir.cli.steer;

import dev.weir.cli.common.ExitCode;
import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.client.RunHandle;
import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.client.WorkflowRunner;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.RunnerJars;
import dev.weir.workflow.staging.TaskSecrets;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

@Command(
    name = "retry",
    description = {
      "Retries failed tasks.",
      "In a live run ('weir run --keep-going') it retries the tasks that failed"
          + " permanently; with TASKGLOB also cancelled ones. A run that failed or was"
          + " cancelled is started as a new run, which runs the missing tasks. With"
          + " TASKGLOB any run that has ended is started as a new run, which always runs"
          + " those tasks."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir retry last", "", RunsBase.CODES})
public final class RetryCommand extends SteerBase {
  @Override
  int steer(KnownRun run, String taskGlob) throws IOException, InterruptedException {
    if (!run.view().stage().isEnd()) {
      return send(run, Steering.of(Action.RETRY, taskGlob));
    }
    Optional<RunRequest> retried = run.retried(taskGlob);
    if (retried.isEmpty()) {
      tell(
          run,
          new SteeringAnswer(
              0,
              "nothing to retry, for it has succeeded; TASKGLOB names tasks to be done again, and"
                  + " 'weir run' makes results again that are gone"));
      return ExitCode.DONE;
    }
    RunRequest again = retried.get().withSecrets(secrets(retried.get().environment()));
    try (RunHandle started =
        new WorkflowRunner(configuration(), RunnerJars.ofThisProcess()).submit(again)) {
      int open = again.workflow().tasks().size() - RunJson.done(run.view());
      tell(run, new SteeringAnswer(open, "started again as " + started.id()));
    }
    return ExitCode.DONE;
  }

  /** Of secrets the run has kept the names only. */
  private static TaskSecrets secrets(Map<String, String> environment) throws RunException {
    Map<String, String> values = new HashMap<>();
    for (String name : TaskSecrets.named(environment)) {
      String value = System.getenv(name);
      if (value == null) {
        throw new RunException(
            "The run has the secret "
                + name
                + ", which is stored nowhere: set the variable "
                + name);
      }
      values.put(name, value);
    }
    return new TaskSecrets(values);
  }
}
