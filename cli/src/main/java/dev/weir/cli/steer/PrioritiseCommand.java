package dev.weir.cli.steer;

import dev.weir.cli.common.ExitCode;
import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.scheduler.Steering;
import dev.weir.workflow.scheduler.Steering.Action;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir prioritise}. */
@Command(
    name = "prioritise",
    aliases = "prioritize",
    description = {
      "Changes which tasks, or which run, go first.",
      "The tasks named go before others, wherever their inputs are. Without TASKGLOB it is the run that"
          + " gets the priority among the applications of YARN, or among the runs of its session."
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
      description = "Higher goes first; 0 is what all have (default: ${DEFAULT-VALUE}).")
  private int priority;

  /** For picocli. */
  public PrioritiseCommand() {}

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
