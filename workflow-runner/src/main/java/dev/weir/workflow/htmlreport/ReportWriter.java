package dev.weir.workflow.htmlreport;

import dev.weir.workflow.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes the report: one HTML file with the charting library, the data and the drawing code. It
 * opens without a network, and its content security policy forbids network access. The same runs
 * give the same bytes.
 */
public final class ReportWriter {

  private ReportWriter() {}

  /**
   * Writes the report on one or several runs of a workflow, side by side on one time axis.
   *
   * @param runs the runs, at least one; the others are compared with the first
   * @param html the file, which is replaced if it exists
   * @throws IOException when it cannot be written, or the charting library is not on the class path
   * @throws IllegalArgumentException when there is no run
   */
  public static void write(List<RunRecord> runs, Path html) throws IOException {
    write(runs, "", html);
  }

  /**
   * Writes the report with the reason of a failure at its top.
   *
   * @param runs the runs, at least one; the others are compared with the first
   * @param failure the reason, in lines; empty for none
   * @param html the file, which is replaced if it exists
   * @throws IOException when it cannot be written, or the charting library is not on the class path
   * @throws IllegalArgumentException when there is no run
   */
  public static void write(List<RunRecord> runs, String failure, Path html) throws IOException {
    Files.writeString(html, toHtml(runs, failure));
  }

  static String toHtml(List<RunRecord> runs, String failure) throws IOException {
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("A report needs at least one run: give a run record");
    }
    return OfflinePage.of(
        ReportWriter.class,
        "report",
        "Workflow " + runs.get(0).workflow(),
        ReportData.of(runs, failure));
  }
}
