package dev.weir.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WithheldSizesTest {
  private static final Workflow RECORDED =
      new Workflow(
          "recorded",
          List.of(
              new Task("a", "t", List.of("true"), List.of("in 1"), List.of("b", "it's"), 0.01),
              new Task("c", "t", List.of("true"), List.of("b"), List.of("d"), 2)),
          Map.of(
              "in 1", new DataFile("in 1", 5_000_000),
              "b", new DataFile("b", 300, "broadcast=2"),
              "it's", new DataFile("it's", 0),
              "d", new DataFile("d", 7)));

  @TempDir private Path directory;

  @Test
  void sizesAreUnknown() {
    Workflow withheld = WithheldSizes.of(RECORDED);

    assertThat(withheld.tasks()).isEqualTo(RECORDED.tasks());
    assertThat(withheld.files().values()).noneMatch(DataFile::sizeKnown);
    assertThat(withheld.graph().file("b").hint()).isEqualTo("broadcast=2");
  }

  @Test
  void regionsKeepTheirSize() {
    Workflow regions =
        new Workflow(
            "regions",
            List.of(new Task("a", "t", List.of("true"), List.of("in@0+50"), List.of("out"), 1)),
            Map.of("in", new DataFile("in", 100), "out", new DataFile("out", 3)));

    assertThat(WithheldSizes.of(regions).graph().file("in").sizeBytes()).isEqualTo(100);
  }

  @Test
  void commandsDoWhatStandInsDo() throws Exception {
    Workflow withheld = WithheldSizes.ofStandIns(RECORDED);
    Files.writeString(directory.resolve("in 1"), "input");

    assertThat(run(withheld.tasks().get(0).command())).isZero();
    assertThat(directory.resolve("b")).hasSize(300);
    assertThat(directory.resolve("it's")).isEmptyFile();
    assertThat(withheld.tasks().get(1).command().get(2)).contains("sleep 2.000");
    Files.delete(directory.resolve("b"));
    assertThat(run(List.of("bash", "-c", withheld.tasks().get(1).command().get(2)))).isNotZero();
  }

  private int run(List<String> command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("log").toFile())
        .start()
        .waitFor();
  }
}
