package dev.weir.workflow.htmlreport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes the report: one HTML file with the data and the drawing code. It opens without a network,
 * and its content security policy forbids network access. The same runs give the same bytes.
 */
public final class ReportWriter {

  /** The scripts of the page; later ones use earlier ones. */
  private static final List<String> SCRIPTS =
      List.of(
          "format", "dom", "model", "charts", "lanes", "tables", "details", "sections", "report");

  private ReportWriter() {}

  /**
   * Writes the report on one or several runs of a workflow, side by side on one time axis.
   *
   * @param runs the runs, at least one; the others are compared with the first
   * @param html the file, which is replaced if it exists
   */
  public static void write(List<ReportRun> runs, Path html) throws IOException {
    write(runs, "", html);
  }

  /**
   * Writes the report with the reason of a failure at its top.
   *
   * @param failure the reason, in lines; empty for none
   */
  public static void write(List<ReportRun> runs, String failure, Path html) throws IOException {
    Files.writeString(html, toHtml(runs, failure, ""));
  }

  /**
   * Returns the page.
   *
   * @param live from where a live page fetches the data again; empty for a file
   */
  static String toHtml(List<ReportRun> runs, String failure, String live) throws IOException {
    return OfflinePage.of(parts(), title(runs), ReportData.of(runs, failure, live));
  }

  private static String title(List<ReportRun> runs) {
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("A report needs at least one run: give a run record");
    }
    return "Workflow " + runs.get(0).record().workflow();
  }

  private static OfflinePage.Parts parts() throws IOException {
    StringBuilder script = new StringBuilder();
    for (String name : SCRIPTS) {
      script.append(OfflinePage.resource(ReportWriter.class, name + ".js")).append('\n');
    }
    return new OfflinePage.Parts(
        OfflinePage.resource(ReportWriter.class, "report.html"),
        OfflinePage.resource(ReportWriter.class, "report.css"),
        script.toString());
  }
}
