package dev.weir.cli.steer;

import dev.weir.cli.common.ExitCode;
import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.client.RunView;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import java.io.IOException;
import picocli.CommandLine.Command;

@Command(
    name = "cancel",
    description = {
      "Cancels a run and keeps the outputs of its tasks.",
      "It kills commands and removes hints. With TASKGLOB it cancels only those tasks"
          + " and the tasks that depend on them. The run continues with the other tasks and"
          + " then ends as failed."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir cancel last", "", RunsBase.CODES})
public final class CancelCommand extends SteerBase {
  @Override
  int steer(KnownRun run, String taskGlob) throws IOException, InterruptedException {
    if (!taskGlob.isEmpty()) {
      return send(run, Steering.of(Action.CANCEL, taskGlob));
    }
    RunView view = run.view();
    int open = RunJson.tasks(view) - RunJson.done(view);
    tell(run, new SteeringAnswer(open, run.cancel(PATIENCE)));
    return ExitCode.DONE;
  }
}
