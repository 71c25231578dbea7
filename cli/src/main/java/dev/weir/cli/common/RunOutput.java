package dev.weir.cli.common;

import dev.weir.workflow.htmlreport.ReportWriter;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files that describe an ended run in a local directory. */
public final class RunOutput {

  private RunOutput() {}

  /**
   * Writes {@code run.json} and {@code report.html}.
   *
   * @param directory is created if it is missing
   * @return absolute path of the report
   */
  public static Path write(RunRecord record, Path directory) throws IOException {
    Files.createDirectories(directory);
    RunRecordCodec.write(record, directory.resolve("run.json"));
    Path html = directory.resolve("report.html");
    ReportWriter.write(List.of(record), html);
    return html.toAbsolutePath().normalize();
  }
}
