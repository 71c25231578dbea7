package dev.weir.bench.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShellCommandsTest {
  @TempDir private Path directory;

  @Test
  void standInReadsItsInputsAndWritesTheDeclaredBytes() throws Exception {
    ShellCommands commands = commands(true);
    Task task = commands.graph().task("copy");

    assertThat(commands.inputBytes(task)).isEqualTo(5);
    assertThat(shell(commands.of(task))).as("its input is missing").isNotZero();
    Files.writeString(directory.resolve("the input's"), "12345");
    assertThat(shell(commands.of(task))).isZero();
    assertThat(Files.size(directory.resolve("out"))).isEqualTo(300_001);
    assertThat(Files.size(directory.resolve("empty"))).isZero();
  }

  @Test
  void realCommandIsRunAsItIs() throws Exception {
    ShellCommands commands = commands(false);

    assertThat(shell(commands.of(commands.graph().task("copy")))).isZero();
    assertThat(directory.resolve("it's $HOME")).exists();
  }

  private static ShellCommands commands(boolean standIn) {
    Task task =
        new Task(
            "copy",
            "copy",
            List.of("touch", "it's $HOME"),
            List.of("the input's"),
            List.of("out", "empty"),
            0.001);
    return new ShellCommands(
        new Workflow(
                "w",
                List.of(task),
                Map.of(
                    "the input's",
                    new DataFile("the input's", 5),
                    "out",
                    new DataFile("out", 300_001),
                    "empty",
                    new DataFile("empty", 0)))
            .graph(),
        standIn);
  }

  private int shell(String command) throws Exception {
    return new ProcessBuilder("sh", "-c", "eval \"$0\"", command)
        .directory(directory.toFile())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
