package dev.weir.cli.run;

import dev.weir.workflow.record.DeletedFiles;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunTotals;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Formats a run that has ended as one line. */
final class ClosingLine {

  private static final double MILLIS_PER_SECOND = 1000.0;
  private static final double MEGA = 1e6;

  private ClosingLine() {}

  /**
   * Returns the line.
   *
   * @param record the run
   * @param staying ids of intermediate files that were kept although {@code --keep} was not given
   */
  static String of(RunRecord record, Set<String> staying) {
    RunTotals totals = record.totals();
    Duration time = Duration.between(record.started(), record.ended());
    int reused = record.reused().size();
    return String.format(
        Locale.ROOT,
        "%s in %.1f s, %s%.0f%% of %.1f MB read locally%s%s",
        record.state(),
        time.toMillis() / MILLIS_PER_SECOND,
        reused == 0 ? "" : reused + " tasks taken over from earlier runs, ",
        100 * totals.localShare(),
        (totals.traffic().inputOwn() + totals.traffic().inputRemote()) / MEGA,
        deleted(record.tidied()),
        stay(made(record, staying)));
  }

  private static String deleted(DeletedFiles tidied) {
    if (tidied.equals(DeletedFiles.NOTHING)) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        ", %d intermediate files (%.1f MB) deleted%s",
        tidied.files(),
        tidied.bytes() / MEGA,
        tidied.left() == 0 ? "" : ", " + tidied.left() + " could not be");
  }

  /** Returns the sizes of files that this run made; a run does not delete files of earlier runs. */
  private static Map<String, Long> made(RunRecord record, Set<String> files) {
    Map<String, Long> made = new HashMap<>();
    record.tasks().stream()
        .filter(attempt -> attempt.outcome() == Outcome.SUCCEEDED)
        .flatMap(attempt -> attempt.files().outputs().stream())
        .filter(output -> files.contains(output.file()))
        .forEach(output -> made.put(output.file(), output.bytes()));
    return made;
  }

  private static String stay(Map<String, Long> lengths) {
    if (lengths.isEmpty()) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        ", %d intermediate %s (%.1f MB) %s; a run with --keep none deletes such files when their"
            + " readers are done",
        lengths.size(),
        lengths.size() == 1 ? "file" : "files",
        lengths.values().stream().mapToLong(Long::longValue).sum() / MEGA,
        lengths.size() == 1 ? "stays" : "stay");
  }
}
