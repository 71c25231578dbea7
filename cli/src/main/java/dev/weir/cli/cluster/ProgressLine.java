package dev.weir.cli.cluster;

import dev.weir.cluster.ProgressListener;
import dev.weir.cluster.StartupProgress;
import java.io.PrintWriter;

/**
 * Shows the progress of a start: on a terminal in one line that changes, elsewhere a line for each
 * step.
 */
public final class ProgressLine implements ProgressListener, AutoCloseable {
  private static final String ERASE = "\r\033[K";

  private final PrintWriter out;
  private final boolean terminal;
  private String lastStep = "";

  /**
   * Creates a display.
   *
   * @param out receives the lines
   * @param terminal whether the line can be overwritten
   */
  public ProgressLine(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  @Override
  public void onProgress(StartupProgress progress) {
    if (terminal) {
      out.print(ERASE + "starting: " + text(progress));
    } else if (!progress.step().equals(lastStep) || progress.done() == progress.total()) {
      out.println("starting: " + text(progress));
    }
    lastStep = progress.step();
    out.flush();
  }

  @Override
  public void close() {
    if (terminal) {
      out.print(ERASE);
      out.flush();
    }
  }

  private static String text(StartupProgress progress) {
    return progress.total() > 1
        ? progress.step() + " " + progress.done() + "/" + progress.total()
        : progress.step();
  }
}
