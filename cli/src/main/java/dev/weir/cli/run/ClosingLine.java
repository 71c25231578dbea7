package dev.weir.cli.run;

import dev.weir.workflow.record.DeletedFiles;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunTotals;
import java.time.Duration;
import java.util.Locale;

/** Formats a run that has ended as one line. */
final class ClosingLine {

  private static final double MILLIS_PER_SECOND = 1000.0;
  private static final double MEGA = 1e6;

  private ClosingLine() {}

  /** Returns the line. */
  static String of(RunRecord record) {
    RunTotals totals = record.totals();
    Duration time = Duration.between(record.started(), record.ended());
    int reused = record.reused().size();
    return String.format(
        Locale.ROOT,
        "%s in %.1f s, %s%.0f%% of %.1f MB read locally%s",
        record.state(),
        time.toMillis() / MILLIS_PER_SECOND,
        reused == 0
            ? ""
            : reused + (reused == 1 ? " task" : " tasks") + " taken over from earlier runs, ",
        100 * totals.localShare(),
        (totals.traffic().inputOwn() + totals.traffic().inputRemote()) / MEGA,
        deleted(record.tidied()));
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
}
