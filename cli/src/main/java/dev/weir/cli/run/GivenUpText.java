package dev.weir.cli.run;

import dev.weir.workflow.scheduler.GivenUp;
import dev.weir.workflow.scheduler.Progress.Failed;
import dev.weir.workflow.text.PrintableText;
import java.util.List;

/** What a run that went on without some tasks has not done, for a person. */
public final class GivenUpText {

  /** So many lines fit on a screen. */
  public static final int SHOWN = 20;

  private static final String NEW_LINE = System.lineSeparator();

  private GivenUpText() {}

  /**
   * One line for each task that failed for good, below one with the numbers.
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
   * What to type for those that are not listed.
   *
   * @param run id of the run
   * @return a command that lists as many as are known when the run has ended
   */
  public static String toListAll(String run) {
    return "weir status " + run + " --all";
  }

  private static String head(GivenUp givenUp) {
    int others = givenUp.tasks() - givenUp.failed();
    String head =
        givenUp.failed() + (givenUp.failed() == 1 ? " task" : " tasks") + " failed for good";
    if (others > 0) {
      head += ", " + others + " more " + (others == 1 ? "needs" : "need");
      head += " their files or " + (others == 1 ? "was" : "were") + " cancelled";
    }
    return head + ":";
  }

  /**
   * An attempt that failed or was lost.
   *
   * @param failed the attempt
   * @return its line, without an end
   */
  public static String line(Failed failed) {
    return PrintableText.of(failed.task())
        + ", attempt "
        + failed.attempt()
        + " on "
        + PrintableText.of(failed.node())
        + (failed.exitCode() < 0 ? "" : ", exit code " + failed.exitCode())
        + ": "
        + PrintableText.printed(failed.line());
  }
}
