package dev.weir.cli.run;

import dev.weir.cli.common.Sizes;
import dev.weir.workflow.record.DeletedFiles;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunTotals;
import java.time.Duration;
import java.util.Locale;

/** Formats a run that has ended as one line. */
final class ClosingLine {

  private static final double MILLIS_PER_SECOND = 1000.0;

  private ClosingLine() {}

  /** Returns the line. */
  static String of(RunRecord record) {
    RunTotals totals = record.totals();
    Duration time = Duration.between(record.started(), record.ended());
    int reused = record.reused().size();
    long bytes = totals.traffic().inputOwn() + totals.traffic().inputRemote();
    return String.format(
        Locale.ROOT,
        "%s in %.1f s%s%s%s",
        record.state(),
        time.toMillis() / MILLIS_PER_SECOND,
        reused == 0
            ? ""
            : ", " + reused + (reused == 1 ? " task" : " tasks") + " taken over from earlier runs",
        bytes == 0
            ? ""
            : String.format(
                Locale.ROOT,
                ", %.0f%% of %s read locally",
                100 * totals.localShare(),
                Sizes.of(bytes)),
        deleted(record.tidied()));
  }

  private static String deleted(DeletedFiles tidied) {
    if (tidied.equals(DeletedFiles.NOTHING)) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        ", %d intermediate files (%s) deleted%s",
        tidied.files(),
        Sizes.of(tidied.bytes()),
        tidied.left() == 0 ? "" : ", " + tidied.left() + " could not be");
  }
}
