package dev.weir.cli.run;

import dev.weir.cli.common.Times;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.text.PrintableText;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Shows the progress of a run: on a terminal one line that is overwritten, elsewhere a line
 * whenever more tasks are done. Not thread-safe.
 */
public final class ProgressDisplay implements Consumer<RunProgress> {

  private static final int BAR = 24;
  private static final int WIDTH = 100;
  private static final int SHOWN_TASKS = 3;

  private final PrintWriter out;
  private final boolean live;
  private final Clock clock;
  private final long startedMillis;
  private int notesShown;
  private String lastPlain = "";
  private int lineLength;

  /**
   * Creates a display.
   *
   * @param out receives the lines
   * @param live whether it is a terminal
   * @param clock for the elapsed time
   */
  public ProgressDisplay(PrintWriter out, boolean live, Clock clock) {
    this.out = out;
    this.live = live;
    this.clock = clock;
    this.startedMillis = clock.millis();
  }

  @Override
  public void accept(RunProgress progress) {
    for (; notesShown < progress.notes().size(); notesShown++) {
      clear();
      out.println("note: " + PrintableText.of(progress.notes().get(notesShown)));
    }
    if (live) {
      showLive(progress);
    } else {
      showPlain(progress);
    }
    out.flush();
  }

  private void showLive(RunProgress progress) {
    int filled = progress.done() * BAR / progress.tasks();
    String line =
        counts(progress)
            + " ["
            + "=".repeat(filled)
            + " ".repeat(BAR - filled)
            + "] "
            + rest(progress)
            + running(progress);
    String cut = line.length() > WIDTH ? line.substring(0, WIDTH - 1) + "~" : line;
    clear();
    out.print(cut);
    lineLength = cut.length();
  }

  private void showPlain(RunProgress progress) {
    String line = progress.phase() + " " + progress.done() + " " + progress.failedAttempts();
    if (!line.equals(lastPlain)) {
      lastPlain = line;
      out.println(counts(progress) + " " + rest(progress));
    }
  }

  private static String counts(RunProgress progress) {
    return switch (progress.phase()) {
      case SUBMITTED -> "waiting for YARN";
      case STARTING -> "waiting for workers";
      case RUNNING, FINISHING ->
          String.format(Locale.ROOT, "%d/%d tasks", progress.done(), progress.tasks())
              + (awaitsHdfs(progress) ? ", waiting for HDFS" : "");
    };
  }

  /** Whether the run waits for the last copies to HDFS, or checks its results. */
  private static boolean awaitsHdfs(RunProgress progress) {
    return progress.phase() == RunProgress.Phase.RUNNING && progress.done() == progress.tasks();
  }

  private String rest(RunProgress progress) {
    StringBuilder text = new StringBuilder(elapsed());
    long bytes = progress.inputBytesLocal() + progress.inputBytesRemote();
    if (bytes > 0) {
      text.append(
          String.format(
              Locale.ROOT, "  %.0f%% read locally", 100.0 * progress.inputBytesLocal() / bytes));
    }
    if (progress.failedAttempts() > 0) {
      text.append("  ")
          .append(progress.failedAttempts())
          .append(progress.failedAttempts() == 1 ? " failed attempt" : " failed attempts");
    }
    return text.toString();
  }

  private static String running(RunProgress progress) {
    if (progress.running().isEmpty()) {
      return "";
    }
    int shown = Math.min(SHOWN_TASKS, progress.running().size());
    return "  running "
        + progress.running().size()
        + ": "
        + PrintableText.of(String.join(", ", progress.running().subList(0, shown)))
        + (shown < progress.running().size() ? ", ..." : "");
  }

  private String elapsed() {
    return Times.passed(Duration.ofMillis(clock.millis() - startedMillis));
  }

  /** Clears the live line. */
  public void clear() {
    if (lineLength > 0) {
      out.print("\r" + " ".repeat(lineLength) + "\r");
      out.flush();
      lineLength = 0;
    }
  }
}
