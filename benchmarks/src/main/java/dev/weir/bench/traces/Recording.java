package dev.weir.bench.traces;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.imports.Importers;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A published recording of a workflow, with corrected sizes.
 *
 * @param name of its file, without extension
 * @param workflow with sizes in bytes
 * @param note the correction, as a clause; empty if there is none
 */
record Recording(String name, Workflow workflow, String note) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MAKEFLOW = "Makeflow";

  /** Sizes from this on would be petabytes if they were in kilobytes. */
  private static final long SURELY_BYTES = 1_000_000_000;

  private static final long KILO = 1_000;

  /**
   * Reads a recording.
   *
   * @throws IOException if it cannot be read or run; the message names file, place and remedy
   */
  static Recording read(Path file) throws IOException {
    Workflow workflow = Importers.standard().read(file, ImportSettings.NONE).workflow();
    String recorder = JSON.readTree(file.toFile()).path("runtimeSystem").path("name").asText();
    String fileName = String.valueOf(file.getFileName());
    String name =
        fileName.endsWith(".json") ? fileName.substring(0, fileName.length() - 5) : fileName;
    return recorder.equals(MAKEFLOW)
        ? new Recording(name, inBytes(workflow), "sizes interpreted as kilobytes")
        : new Recording(name, workflow, "");
  }

  /**
   * Corrects recordings of Makeflow, which have kilobytes instead of bytes: their tasks' counts of
   * bytes read and written are a thousand times the sizes of the files. A size that would be a
   * petabyte was in bytes.
   */
  static Workflow inBytes(Workflow workflow) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    workflow
        .files()
        .values()
        .forEach(
            file -> {
              long bytes =
                  file.sizeBytes() < SURELY_BYTES ? file.sizeBytes() * KILO : file.sizeBytes();
              files.put(file.id(), new DataFile(file.id(), bytes, file.hint()));
            });
    return new Workflow(workflow.name(), workflow.tasks(), files);
  }
}
