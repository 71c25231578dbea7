package dev.weir.cli.steer;

import dev.weir.cli.common.ExitCode;
import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "prioritise",
    aliases = "prioritize",
    description = {
      "Changes the priority of tasks or of a run.",
      "Tasks with a higher priority run before others, wherever their inputs are."
          + " Without TASKGLOB it changes the priority of the run among YARN's"
          + " applications, or among the runs of its session."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir prioritise last mConcatFit",
      "  weir prioritise last 'mDiff*' --priority -1",
      "",
      RunsBase.CODES
    })
public final class PrioritiseCommand extends SteerBase {
  @Option(
      names = "--priority",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Priority, higher first; tasks and runs have 0 initially (default:"
              + " ${DEFAULT-VALUE}).")
  private int priority;

  @Override
  void requireUsable() {
    super.requireUsable();
    if (tasks().isEmpty() && priority < 0) {
      throw unusable(
          "--priority " + priority + ": a run has 0 or more in YARN; name tasks to put them last");
    }
    if (Math.abs((long) priority) > Steering.HIGHEST) {
      throw unusable(
          "--priority " + priority + ": give -" + Steering.HIGHEST + " to " + Steering.HIGHEST);
    }
  }

  @Override
  int steer(KnownRun run, String taskGlob) throws IOException, InterruptedException {
    if (taskGlob.isEmpty()) {
      tell(run, run.prioritise(priority, PATIENCE));
      return ExitCode.DONE;
    }
    return send(run, new Steering(Action.PRIORITISE, taskGlob, priority));
  }
}
