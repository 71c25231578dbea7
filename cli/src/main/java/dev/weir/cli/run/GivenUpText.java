package dev.weir.cli.run;

import dev.weir.workflow.scheduler.api.GivenUp;
import dev.weir.workflow.scheduler.api.Progress.Failed;
import dev.weir.workflow.text.PrintableText;
import java.util.List;

/** Formats the tasks that a run with {@code --keep-going} gave up. */
public final class GivenUpText {

  /** The number of lines that fit on a screen. */
  public static final int SHOWN = 20;

  private static final String NEW_LINE = System.lineSeparator();

  private GivenUpText() {}

  /**
   * Returns a line with the numbers and a line for each task that failed permanently.
   *
   * @param givenUp what was not done
   * @param most how many tasks are listed at most
   * @param more what to type for the others; empty when there is nothing to type
   * @return lines, each with its end; empty when all was done
   */
  public static String of(GivenUp givenUp, int most, String more) {
    if (givenUp.failed() == 0) {
      return "";
    }
    StringBuilder text = new StringBuilder(head(givenUp)).append(NEW_LINE);
    List<Failed> shown = givenUp.atMost(most).first();
    shown.forEach(failed -> text.append("  ").append(line(failed)).append(NEW_LINE));
    int left = givenUp.failed() - shown.size();
    if (left > 0) {
      text.append("  and ")
          .append(left)
          .append(" more")
          .append(more.isEmpty() ? "" : ": " + more)
          .append(NEW_LINE);
    }
    return text.toString();
  }

  /**
   * Returns the command that lists all tasks.
   *
   * @param run id of the run
   * @return the command; it lists the tasks once the run has ended
   */
  public static String toListAll(String run) {
    return "weir status " + run + " --all";
  }

  private static String head(GivenUp givenUp) {
    int others = givenUp.tasks() - givenUp.failed();
    String head =
        givenUp.failed() + (givenUp.failed() == 1 ? " task" : " tasks") + " failed permanently";
    if (others > 0) {
      head += ", " + others + " more " + (others == 1 ? "needs" : "need");
      head += " their files or " + (others == 1 ? "was" : "were") + " cancelled";
    }
    return head + ":";
  }

  /**
   * Returns a line about an attempt that failed or was lost.
   *
   * @param failed the attempt
   * @return its line, without an end
   */
  public static String line(Failed failed) {
    return PrintableText.of(failed.task())
        + (failed.node().isEmpty()
            ? ""
            : ", attempt " + failed.attempt() + " on " + PrintableText.of(failed.node()))
        + (failed.exitCode() < 0 ? "" : ", exit code " + failed.exitCode())
        + ": "
        + PrintableText.printed(failed.line());
  }
}
