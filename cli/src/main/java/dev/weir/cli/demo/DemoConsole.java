package dev.weir.cli.demo;

import dev.weir.cli.cluster.ProgressLine;
import dev.weir.cli.run.ProgressDisplay;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.Locale;

/** Prints the steps of the demo. Not thread-safe. */
final class DemoConsole {

  private static final String ERASE = "\r\033[K";

  private final PrintWriter out;
  private final boolean terminal;
  private final Clock clock;
  private long stepStarted;

  DemoConsole(PrintWriter out, boolean terminal, Clock clock) {
    this.out = out;
    this.terminal = terminal;
    this.clock = clock;
    this.stepStarted = clock.millis();
  }

  /** Prints a line that stays. */
  void say(String text) {
    out.println(text);
    out.flush();
  }

  /** Starts to measure the time of a step. */
  void begin() {
    stepStarted = clock.millis();
  }

  /** Prints the result of a step, with the time since {@link #begin}. */
  void done(String what) {
    say(String.format(Locale.ROOT, "%s (%.1f s)", what, (clock.millis() - stepStarted) / 1000.0));
  }

  /** Shows the current step until {@link #clear} or the next step; on a terminal only. */
  void now(String what) {
    if (terminal) {
      out.print(ERASE + what);
      out.flush();
    }
  }

  void clear() {
    now("");
  }

  ProgressLine clusterProgress() {
    return new ProgressLine(out, terminal);
  }

  ProgressDisplay runProgress() {
    return new ProgressDisplay(out, terminal, clock);
  }
}
