package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintCodec;
import dev.weir.hints.HintPresets;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputHintsTest {
  @TempDir private Path directory;

  @Test
  void writesTheHintsOfCurrentAttempts() throws Exception {
    Path file = directory.resolve("hints.json");
    OutputHints hints = new OutputHints(file);
    String wide = HintCodec.hintToJson(HintPresets.broadcast(5));
    TaskOrder first = order("a", new FileSlot("x", "/data/x{1}", 0).hinted(wide));
    TaskOrder second = order("b", new FileSlot("y", "/data/y", 0).hinted(wide));

    hints.begin(order("plain", new FileSlot("z", "/data/z", 0)));
    assertThat(file).as("nothing to write").doesNotExist();
    hints.begin(first);
    hints.begin(second);
    assertThat(paths(file)).containsExactly("/data/x\\{1\\}", "/data/y");
    hints.end(first);
    assertThat(paths(file)).containsExactly("/data/y");
    hints.end(second);
    assertThat(paths(file)).isEmpty();
  }

  @Test
  void aRunsWorkerWritesNothing() {
    OutputHints.NONE.begin(order("a", new FileSlot("x", "/data/x", 0).hinted("{}")));
    assertThat(directory).isEmptyDirectory();
  }

  private static List<String> paths(Path file) throws Exception {
    return HintCodec.fromJson(Files.readString(file), "test").rules().stream()
        .map(rule -> rule.pattern().toString())
        .toList();
  }

  private static TaskOrder order(String task, FileSlot output) {
    return new TaskOrder(
        task,
        1,
        "l",
        List.of("true"),
        List.of(),
        List.of(output),
        Map.of(),
        false,
        0,
        ResourceNeeds.of(dev.weir.workflow.model.TaskNeeds.UNKNOWN));
  }
}
