package dev.weir.cli.steer;

import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import java.io.IOException;
import picocli.CommandLine.Command;

@Command(
    name = "resume",
    description = {
      "Ends the effect of 'weir pause'.",
      "Without TASKGLOB it resumes the run and all tasks."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir resume last", "", RunsBase.CODES})
public final class ResumeCommand extends SteerBase {
  @Override
  int steer(KnownRun run, String taskGlob) throws IOException, InterruptedException {
    return send(run, Steering.of(Action.RESUME, taskGlob));
  }
}
