package dev.weir.workflow.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShellCommandTest {

  @TempDir private Path directory;

  private int run(ShellCommand command) throws IOException, InterruptedException {
    return new ProcessBuilder(command.argv())
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("log").toFile())
        .start()
        .waitFor();
  }

  @Test
  void addsSetupAndTeardownToTheLine() throws Exception {
    Files.writeString(directory.resolve("it's in"), "content");
    Files.writeString(directory.resolve("prog.5"), "#!/bin/sh\nprintf %s \"$V \"; cat \"$1\"\n");
    ShellCommand command =
        new ShellCommand("./prog sub/in > out; exit 0")
            .export(Map.of("V", "a 'b' $HOME"))
            .input("prog.5", "prog")
            .input("it's in", "sub/in")
            .output("-made here/out.5", "out");
    assertThat(run(command)).as(Files.readString(directory.resolve("log"))).isZero();
    assertThat(directory.resolve("-made here/out.5")).hasContent("a 'b' $HOME content");
  }

  @Test
  void exitsWithTheExitCodeOfTheLine() throws Exception {
    assertThat(run(new ShellCommand("exit 7").output("b", "a"))).isEqualTo(7);
    assertThat(run(new ShellCommand("exit 7").export(Map.of("A", "b")))).isEqualTo(7);
    assertThat(run(new ShellCommand("true").output("b", "a"))).isNotZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cat a > b | cat",
        "./bin/sim.exe -x | sim.exe",
        "X=1 Y=2 sim | sim",
        "python3 /opt/run.py a | run.py",
        "python3 -m mod | python3",
        "sh -c 'x' | sh",
        "(a; b) | task",
        "\"my prog\" x | my",
        "'' | task",
      })
  void typesAreTheFirstProgramsOfLines(String line, String type) {
    assertThat(TaskTypes.of(line)).isEqualTo(type);
  }
}
