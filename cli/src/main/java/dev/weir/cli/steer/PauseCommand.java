package dev.weir.cli.steer;

import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import java.io.IOException;
import picocli.CommandLine.Command;

@Command(
    name = "pause",
    description = {
      "Stops a run from starting tasks.",
      "With TASKGLOB it stops only those tasks from starting. Running commands"
          + " continue, and workers are kept, until 'weir resume'."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir pause last 'mBackground*'", "", RunsBase.CODES})
public final class PauseCommand extends SteerBase {
  @Override
  int steer(KnownRun run, String taskGlob) throws IOException, InterruptedException {
    return send(run, Steering.of(Action.PAUSE, taskGlob));
  }
}
