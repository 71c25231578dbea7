package dev.weir.cli.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.record.RunTotals;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the result as {@code summary.json}. */
final class SummaryFile {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private SummaryFile() {}

  static void write(DemoResult result, Path file) throws IOException {
    Files.writeString(file, toJson(result) + "\n", StandardCharsets.UTF_8);
  }

  static String toJson(DemoResult result) throws IOException {
    ObjectNode summary = JSON.createObjectNode();
    summary.put("workflow", result.workflow());
    summary.put("nodes", result.spec().nodes());
    summary.put("link", result.spec().link().toString());
    summary.put("realPrograms", result.realPrograms());
    summary.put("identicalToSequential", result.identicalToSequential());
    if (!result.realPrograms()) {
      summary.put("notCompared", "stand-in tasks ran: the Montage programs are not on the PATH");
    }
    ObjectNode modes = summary.putObject("modes");
    for (ModeResult mode : result.modes()) {
      RunTotals totals = mode.run().totals();
      modes
          .putObject(mode.mode().label())
          .put("makespanSeconds", totals.makespan().toMillis() / 1000.0)
          .put("tasks", totals.tasks())
          .put("inputBytesLocal", totals.traffic().inputOwn())
          .put("inputBytesRemote", totals.traffic().inputRemote())
          .put("outputBytesRemote", totals.traffic().outputRemote());
    }
    return JSON.writeValueAsString(summary);
  }
}
