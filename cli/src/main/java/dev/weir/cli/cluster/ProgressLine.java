package dev.weir.cli.cluster;

import dev.weir.cluster.ProgressListener;
import dev.weir.cluster.StartupProgress;
import java.io.PrintWriter;

/**
 * Shows how far a start is: on a terminal in one line that changes, elsewhere a line for each step.
 */
public final class ProgressLine implements ProgressListener, AutoCloseable {
  private static final String ERASE = "\r\033[K";

  private final PrintWriter out;
  private final boolean terminal;
  private String lastStep = "";

  /**
   * A display that has shown nothing yet.
   *
   * @param out where to
   * @param terminal whether the line can be written over
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

  /** Leaves the line empty for what comes next. */
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
