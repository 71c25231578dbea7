package dev.weir.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.record.TaskRecord.Traffic;
import dev.weir.workflow.staging.Mode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummaryFileTest {

  @TempDir private Path directory;

  @Test
  void hasTheDocumentedForm() throws Exception {
    ModeResult stock =
        new ModeResult(
            Mode.STOCK,
            Results.run(Mode.STOCK, new Traffic(1, 2, 3, 4)),
            Results.comparison(directory, 7, 7));
    ModeResult weir =
        new ModeResult(
            Mode.WEIR,
            Results.run(Mode.WEIR, new Traffic(3, 0, 3, 1)),
            Results.comparison(directory, 7, 7));
    SummaryFile.write(Results.result(true, stock, weir), directory.resolve("summary.json"));
    assertThat(Files.readString(directory.resolve("summary.json")))
        .isEqualTo(
            """
            {
              "workflow" : "montage-16-tiles",
              "nodes" : 4,
              "link" : "100mbit",
              "realPrograms" : true,
              "identicalToSequential" : true,
              "modes" : {
                "stock" : {
                  "makespanSeconds" : 61.25,
                  "tasks" : 1,
                  "inputBytesLocal" : 1,
                  "inputBytesRemote" : 2,
                  "outputBytesRemote" : 4
                },
                "weir" : {
                  "makespanSeconds" : 61.25,
                  "tasks" : 1,
                  "inputBytesLocal" : 3,
                  "inputBytesRemote" : 0,
                  "outputBytesRemote" : 1
                }
              }
            }
            """);
  }

  @Test
  void oneDifferentMosaicIsReported() throws Exception {
    ModeResult same =
        new ModeResult(
            Mode.STOCK, Results.run(Mode.STOCK, Traffic.NONE), Results.comparison(directory, 7, 7));
    ModeResult other =
        new ModeResult(
            Mode.WEIR, Results.run(Mode.WEIR, Traffic.NONE), Results.comparison(directory, 7, 8));
    assertThat(SummaryFile.toJson(Results.result(true, same, other)))
        .contains("\"identicalToSequential\" : false")
        .doesNotContain("notCompared");
  }

  @Test
  void standInsReportThatThereIsNoMosaic() throws Exception {
    ModeResult stock = new ModeResult(Mode.STOCK, Results.run(Mode.STOCK, Traffic.NONE), null);
    assertThat(SummaryFile.toJson(Results.result(false, stock)))
        .contains("\"realPrograms\" : false")
        .contains("\"identicalToSequential\" : false")
        .contains(
            "\"notCompared\" : \"stand-in tasks ran: the Montage programs are not on the PATH\"");
  }
}
