package dev.weir.cli.steer;

import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.client.RunView;
import dev.weir.workflow.client.RunView.Stage;
import dev.weir.workflow.client.Runs;
import dev.weir.workflow.estimate.RunEstimate;
import java.io.IOException;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "status",
    description = {
      "Shows the progress of a run.",
      "It prints tasks by type, running tasks with their nodes and times, bytes read,"
          + " failures and an estimate of the time that is left. With --watch it continues until the run has ended, and exits"
          + " with 1 if the run did not succeed."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir status last --watch",
      "  weir status 42 --json",
      "",
      RunsBase.CODES
    })
public final class RunStatusCommand extends RunsBase {
  private static final long PERIOD_MILLIS = 1_000;
  private static final String HOME_AND_CLEAR = "\u001b[H\u001b[2J";

  @Parameters(paramLabel = "RUN", description = RUN)
  private String name;

  @Option(
      names = "--watch",
      description = "Print the status whenever it changes; on a terminal in the same place.")
  private boolean watch;

  @Option(
      names = "--all",
      description =
          "List up to 1,000 tasks that failed permanently instead of 20; only after the run's end.")
  private boolean all;

  @Option(names = "--json", description = "Print JSON; with --watch one object on each line.")
  private boolean json;

  private static final Logger LOG = LoggerFactory.getLogger(RunStatusCommand.class);

  private final Clock clock = Clock.systemUTC();

  @Override
  int run(Runs runs) throws IOException, InterruptedException {
    KnownRun run = runs.find(name);
    if (!watch) {
      RunView view = run.view();
      Double left = secondsLeft(run, view);
      out()
          .print(
              json
                  ? Json.pretty(RunJson.full(view, left)) + System.lineSeparator()
                  : StatusText.of(view, all, clock.instant(), left));
      return ExitCode.DONE;
    }
    return watch(run);
  }

  /** Estimates the seconds that are left; null if unknown. A failure only costs the estimate. */
  private @Nullable Double secondsLeft(KnownRun run, RunView view) {
    try {
      return run.remaining(view).map(RunEstimate::seconds).orElse(null);
    } catch (IOException | RuntimeException e) {
      LOG.debug("The remaining time of {} cannot be estimated", run.id(), e);
      return null;
    }
  }

  private int watch(KnownRun run) throws IOException, InterruptedException {
    boolean terminal = Ansi.AUTO.enabled() && !json;
    RunView view = run.view();
    String shown = "";
    while (true) {
      boolean ended = view.stage().isEnd();
      // Elapsed times change constantly and do not count as a change.
      String state = view.stage() + " " + RunJson.full(view, null);
      if (terminal) {
        out().print(HOME_AND_CLEAR + text(view));
      } else if (!state.equals(shown)) {
        out()
            .println(
                json
                    ? RunJson.full(view, null).toString()
                    : StatusText.line(view, clock.instant()));
      }
      out().flush();
      shown = state;
      if (ended) {
        break;
      }
      Thread.sleep(PERIOD_MILLIS);
      view = run.view();
    }
    if (!terminal && !json) {
      out().print(text(view));
    }
    return view.stage() == Stage.SUCCEEDED ? ExitCode.DONE : ExitCode.FAILED;
  }

  private String text(RunView view) {
    return StatusText.of(view, all, clock.instant(), null);
  }
}
