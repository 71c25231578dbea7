package dev.weir.cli.steer;

import dev.weir.cli.common.Sizes;
import dev.weir.cli.common.Table;
import dev.weir.cli.common.Times;
import dev.weir.cli.run.FailureText;
import dev.weir.cli.run.GivenUpText;
import dev.weir.workflow.client.RunView;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.text.PrintableText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats the status of a run for the terminal. */
final class StatusText {
  private static final int RUNNING_SHOWN = 20;
  private static final int FAILURES_SHOWN = 5;
  private static final double PERCENT = 100;
  private static final String NEW_LINE = System.lineSeparator();

  private StatusText() {}

  /**
   * Returns the full status, on several lines.
   *
   * @param all whether to list all known tasks that failed permanently
   * @param secondsLeft the estimated time that is left; null if unknown
   */
  static String of(RunView view, boolean all, Instant now, @Nullable Double secondsLeft) {
    StringBuilder text = new StringBuilder(line(view, now)).append(NEW_LINE);
    if (secondsLeft != null) {
      text.append("about ")
          .append(Times.passed(Duration.ofSeconds(Math.round(secondsLeft))))
          .append(" left")
          .append(NEW_LINE);
    }
    RunSummary summary = view.summary();
    text.append(PrintableText.of(summary.workflow()))
        .append(", mode ")
        .append(summary.mode())
        .append(", data in ")
        .append(PrintableText.of(summary.dataDir()))
        .append(NEW_LINE);
    RunProgress progress = view.progress();
    if (progress != null) {
      add(text, progress, view.stage().isEnd(), now);
    }
    RunFailure failure = view.failure();
    RunSummary.End end = summary.end();
    if (failure != null) {
      text.append(NEW_LINE).append(FailureText.of(failure, view.summary().id())).append(NEW_LINE);
    } else if (end != null && !end.reason().isEmpty()) {
      text.append(NEW_LINE).append(PrintableText.of(end.reason())).append(NEW_LINE);
    }
    String givenUp = givenUp(view, all);
    return text.append(givenUp.isEmpty() ? "" : NEW_LINE + givenUp).toString();
  }

  private static String givenUp(RunView view, boolean all) {
    String more = GivenUpText.toListAll(view.summary().id());
    if (!view.stage().isEnd()) {
      // The status of a live run contains the first ones only.
      more = "when the run has ended, " + more;
    } else if (all) {
      more = "";
    }
    return GivenUpText.of(RunJson.givenUp(view), all ? Integer.MAX_VALUE : GivenUpText.SHOWN, more);
  }

  static String line(RunView view, Instant now) {
    RunSummary summary = view.summary();
    int done = RunJson.done(view);
    int tasks = RunJson.tasks(view);
    String line =
        String.format(
            Locale.ROOT,
            "%s  %s  %d of %d tasks done (%.0f%%)  %s",
            summary.id(),
            view.stage(),
            done,
            tasks,
            PERCENT * done / Math.max(1, tasks),
            elapsed(summary, now));
    RunProgress progress = view.progress();
    if (progress != null && !view.stage().isEnd()) {
      line +=
          "  " + progress.running().size() + " running on " + count(progress.workers(), "worker");
      if (progress.failedAttempts() > 0) {
        line += "  " + count(progress.failedAttempts(), "failed attempt");
      }
    }
    return line;
  }

  private static String elapsed(RunSummary summary, Instant now) {
    RunSummary.End end = summary.end();
    Instant until = end == null ? now : Instant.parse(end.ended());
    return Times.passed(Duration.between(Instant.parse(summary.submitted()), until));
  }

  private static String count(int number, String word) {
    return number + " " + word + (number == 1 ? "" : "s");
  }

  private static void add(StringBuilder text, RunProgress progress, boolean ended, Instant now) {
    Progress.Details details = progress.details();
    if (details.held() > 0 && !ended) {
      text.append(count(details.held(), "task"))
          .append(details.held() == 1 ? " is paused" : " are paused")
          .append(NEW_LINE);
    }
    if (!ended) {
      for (Progress.WaitingCount count : details.waiting()) {
        text.append(count(count.tasks(), "task"))
            .append(count.tasks() == 1 ? " waits" : " wait")
            .append(" for a worker with ")
            .append(count.needs())
            .append(NEW_LINE);
      }
    }
    if (details.reused() > 0) {
      text.append(count(details.reused(), "task"))
          .append(details.reused() == 1 ? " was" : " were")
          .append(" done by earlier runs")
          .append(NEW_LINE);
    }
    long bytes = progress.inputBytesLocal() + progress.inputBytesRemote();
    if (bytes > 0) {
      text.append(
              String.format(
                  Locale.ROOT,
                  "%s read, %s of it from the reader's own node (%.0f%%)",
                  Sizes.of(bytes),
                  Sizes.of(progress.inputBytesLocal()),
                  PERCENT * progress.inputBytesLocal() / bytes))
          .append(NEW_LINE);
    }
    if (!details.types().isEmpty()) {
      text.append(NEW_LINE).append(types(details.types(), ended));
    }
    if (!details.running().isEmpty() && !ended) {
      text.append(NEW_LINE).append(running(progress, now));
    }
    if (!details.failures().isEmpty()) {
      text.append(NEW_LINE).append(failures(progress));
    }
    progress
        .notes()
        .forEach(note -> text.append("note: ").append(PrintableText.of(note)).append(NEW_LINE));
  }

  /** After the end of a run the last reported counts of waiting and running tasks are outdated. */
  private static String types(List<Progress.TypeCount> types, boolean ended) {
    if (ended) {
      Table table = new Table("TYPE", "NOT DONE#", "DONE#", "DROPPED#");
      for (Progress.TypeCount type : types) {
        int notDone = type.waiting() + type.ready() + type.running();
        table.row(type.type(), notDone, type.done(), type.dropped());
      }
      return table.toString();
    }
    Table table = new Table("TYPE", "WAITING#", "READY#", "RUNNING#", "DONE#", "DROPPED#");
    for (Progress.TypeCount type : types) {
      table.row(
          type.type(), type.waiting(), type.ready(), type.running(), type.done(), type.dropped());
    }
    return table.toString();
  }

  private static String running(RunProgress progress, Instant now) {
    List<Progress.Running> running = progress.details().running();
    Table table = new Table("RUNNING", "ATTEMPT#", "NODE", "FOR#");
    for (Progress.Running task : running.subList(0, Math.min(RUNNING_SHOWN, running.size()))) {
      Duration passed = Duration.between(Instant.ofEpochMilli(task.sinceMillis()), now);
      table.row(task.task(), task.attempt(), task.node(), Times.passed(passed));
    }
    int more = progress.running().size() - RUNNING_SHOWN;
    return table + (more > 0 ? "and " + more + " more" + NEW_LINE : "");
  }

  private static String failures(RunProgress progress) {
    List<Progress.Failed> failures = progress.details().failures();
    StringBuilder text = new StringBuilder();
    text.append(count(progress.failedAttempts(), "attempt"))
        .append(progress.failedAttempts() == 1 ? " failed or was lost" : " failed or were lost");
    text.append(progress.failedAttempts() > FAILURES_SHOWN ? ", the last of them:" : ":");
    text.append(NEW_LINE);
    int first = Math.max(0, failures.size() - FAILURES_SHOWN);
    for (Progress.Failed failed : failures.subList(first, failures.size())) {
      text.append("  ").append(GivenUpText.line(failed)).append(NEW_LINE);
    }
    return text.toString();
  }
}
