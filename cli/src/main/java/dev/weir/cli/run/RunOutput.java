package dev.weir.cli.run;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.weir.workflow.htmlreport.ReportRun;
import dev.weir.workflow.htmlreport.ReportWriter;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.scheduler.api.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files that describe a run in a local directory. */
public final class RunOutput {

  private static final String JSON = "run.json";
  private static final String HTML = "report.html";

  private RunOutput() {}

  /**
   * Writes {@code run.json} and {@code report.html}. Those of another run are renamed after that
   * run.
   *
   * @param runs the run, and others that the report compares with it
   * @param failure why the run failed; null if it did not
   * @param directory is created if it is missing
   * @param force whether to replace those of another run
   * @return absolute path of the report
   */
  public static Path write(
      List<ReportRun> runs, @Nullable RunFailure failure, Path directory, boolean force)
      throws IOException {
    RunRecord record = runs.get(0).record();
    Files.createDirectories(directory);
    Path json = directory.resolve(JSON);
    Path html = directory.resolve(HTML);
    if (!force && Files.exists(json)) {
      keep(json, html, record.runId());
    }
    RunRecordCodec.write(record, json);
    String reason = failure == null ? "" : FailureText.of(failure, record.runId());
    ReportWriter.write(runs, reason, html);
    return html.toAbsolutePath().normalize();
  }

  private static void keep(Path json, Path html, String run) throws IOException {
    String older;
    try {
      older = RunRecordCodec.fromJson(Files.readString(json), json.toString()).runId();
    } catch (IOException | RuntimeException e) {
      older = "older-" + Files.getLastModifiedTime(json).toMillis();
    }
    if (older.equals(run)) {
      return;
    }
    Files.move(json, json.resolveSibling("run-" + older + ".json"), REPLACE_EXISTING);
    if (Files.exists(html)) {
      Files.move(html, html.resolveSibling("report-" + older + ".html"), REPLACE_EXISTING);
    }
  }
}
