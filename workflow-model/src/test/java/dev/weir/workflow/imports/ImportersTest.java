package dev.weir.workflow.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.WorkflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImportersTest {

  private final Importers importers = Importers.standard();

  @ParameterizedTest
  @CsvSource({
    "w.json,{}",
    "w.jx,{}",
    "w.mf,hello",
    "Makeflow,hello",
    "a/w.makeflow,hello",
    "w.yaml,a: b",
    "w.dax,<x/>",
  })
  void usesTheFileNameIfTheContentIsUnknown(String name, String text) throws Exception {
    String format = importers.find(source(name, text)).format();
    assertThat(format)
        .isEqualTo(
            switch (name) {
              case "w.json" -> "wfformat";
              case "w.jx" -> "jx";
              case "w.yaml" -> "pegasus";
              case "w.dax" -> "dax";
              default -> "makeflow";
            });
  }

  @Test
  void listsTheFormats() {
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> importers.find(source("w.txt", "hello")))
        .withMessage(
            "w.txt: neither its content nor its name is that of a known workflow format;"
                + " give a file in one of these formats, or name its format: WfFormat 1.4 to 1.6"
                + " (wfformat), JX, or its JSON (jx), DAX XML (dax), Pegasus 5 YAML (pegasus),"
                + " Makeflow (makeflow)");
  }

  @Test
  void readsTheGivenFormat(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("w.json"), "a: b\n\ttrue\n");
    assertThat(importers.read(file, "makeflow", ImportSettings.NONE).format())
        .isEqualTo("makeflow");
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> importers.read(file, "cwl", ImportSettings.NONE))
        .withMessageEndingWith(
            "there is no format 'cwl'; name one of wfformat, jx, dax, pegasus, makeflow");
  }

  @Test
  void refusesUnreadableFiles(@TempDir Path directory) throws IOException {
    Path file = Files.write(directory.resolve("w.mf"), new byte[] {'a', '\n', 'b', (byte) 0xff});
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> importers.read(file, ImportSettings.NONE))
        .withMessageContaining("w.mf: 2:2: it is not text in UTF-8; save it");
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> importers.read(directory.resolve("none"), ImportSettings.NONE))
        .withMessageContaining("no such file; check the path");
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> importers.read(directory, ImportSettings.NONE))
        .withMessage(directory + ": it is a directory; name a workflow file in it");
  }

  private static WorkflowSource source(String name, String text) {
    return new WorkflowSource(name, text, null, ImportSettings.NONE);
  }
}
