package dev.weir.cli.steer;

import dev.weir.cli.common.ExitCode;
import dev.weir.workflow.run.KnownRun;
import dev.weir.workflow.run.RunHandle;
import dev.weir.workflow.run.RunRequest;
import dev.weir.workflow.run.RunnerJars;
import dev.weir.workflow.run.WorkflowRunner;
import dev.weir.workflow.scheduler.Steering;
import dev.weir.workflow.scheduler.Steering.Action;
import dev.weir.workflow.scheduler.SteeringAnswer;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code weir retry}. */
@Command(
    name = "retry",
    description = {
      "Tries again what has failed for good in a run that goes on ('weir run --keep-going'), and",
      "with TASKGLOB what was cancelled, too. A run that has failed or was cancelled is started",
      "again, as one of its own, and does what is missing; with TASKGLOB any run that has ended is",
      "started again and does those tasks in any case."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir retry last", "", RunsBase.CODES})
public final class RetryCommand extends SteerBase {
  /** For picocli. */
  public RetryCommand() {}

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
    RunRequest again = retried.get();
    try (RunHandle started =
        new WorkflowRunner(configuration(), RunnerJars.ofThisProcess()).submit(again)) {
      int open = again.workflow().tasks().size() - RunJson.done(run.view());
      tell(run, new SteeringAnswer(open, "started again as " + started.id()));
    }
    return ExitCode.DONE;
  }
}
