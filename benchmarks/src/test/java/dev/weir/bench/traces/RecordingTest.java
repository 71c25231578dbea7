package dev.weir.bench.traces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingTest {
  private static final String RECORDED =
      """
      {"name": "r", "schemaVersion": "1.5", "runtimeSystem": {"name": "RECORDER"},
       "workflow": {
         "specification": {
           "tasks": [{"name": "t", "id": "t_1", "parents": [], "children": [],
                      "inputFiles": ["query", "nt"], "outputFiles": ["hits"]}],
           "files": [{"id": "query", "sizeInBytes": 25}, {"id": "nt", "sizeInBytes": 5112425635},
                     {"id": "hits", "sizeInBytes": 0}]},
         "execution": {"makespanInSeconds": 1, "executedAt": "2020-01-01T00:00:00Z",
           "tasks": [{"id": "t_1", "runtimeInSeconds": 2.5}]}}}
      """;

  @TempDir Path directory;

  @Test
  void makeflowSizesAreKilobytesBelowAPetabyte() throws IOException {
    Recording recording = read("Makeflow");

    assertThat(recording.name()).isEqualTo("blast-small");
    assertThat(recording.note()).isNotEmpty();
    assertThat(recording.workflow().files().values())
        .containsExactly(
            new DataFile("query", 25_000),
            new DataFile("nt", 5_112_425_635L),
            new DataFile("hits", 0));
    assertThat(recording.workflow().tasks().get(0).runtimeSeconds()).isEqualTo(2.5);
  }

  @Test
  void otherSizesAreBytes() throws IOException {
    Recording recording = read("Pegasus");

    assertThat(recording.note()).isEmpty();
    assertThat(recording.workflow().files().get("query")).isEqualTo(new DataFile("query", 25));
  }

  private Recording read(String system) throws IOException {
    Path file = directory.resolve("blast-small.json");
    Files.writeString(file, RECORDED.replace("RECORDER", system));
    return Recording.read(file);
  }
}
