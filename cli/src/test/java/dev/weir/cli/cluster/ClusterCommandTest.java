package dev.weir.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Ran;
import dev.weir.cli.Weir;
import dev.weir.cluster.StartupProgress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ClusterCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine weir =
      Weir.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

  @TempDir private Path dir;

  @Test
  void invalidRateIsWrongUsage() {
    assertThat(weir.execute("cluster", "start", "--link", "100mbps")).isEqualTo(2);
    assertThat(err.toString())
        .contains("Link rate '100mbps'")
        .contains("write bits, as in 200mbit")
        .doesNotContain("Exception");
  }

  @Test
  void directoryWithoutAClusterIsReportedInOneLine() {
    String none = dir.resolve("none").toString();
    for (String[] words :
        new String[][] {
          {"cluster", "stop", "--dir", none},
          {"cluster", "status", "--dir", none},
          {"cluster", "env", "--dir", none},
          {"cluster", "exec", "--dir", none, "n1", "--", "ls", "-l"},
          {"cluster", "hdfs", "--dir", none, "dfs", "-ls", "/"},
          {"cluster", "yarn", "--dir", none, "node", "-list"}
        }) {
      err.getBuffer().setLength(0);
      assertThat(weir.execute(words)).isEqualTo(1);
      assertThat(err.toString().lines()).as(String.join(" ", words)).hasSize(1);
      assertThat(err.toString()).contains("No cluster in " + none);
    }
  }

  @Test
  void clustersWhosePlanCannotBeReadDoNotEndTheCommand() throws IOException {
    Path registry =
        Files.createDirectory(dir.resolve("weir-clusters-" + System.getProperty("user.name")));
    for (String name : List.of("a", "b")) {
      Path cluster = dir.resolve(name);
      Files.writeString(registry.resolve(name + ".cluster"), cluster + "\n{}\n");
    }

    for (String[] words : new String[][] {{"cluster", "status"}, {"cluster", "stop", "--all"}}) {
      Ran ran = Ran.weirWithClustersOf(dir, words);

      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err().lines()).as(ran.err()).hasSize(2);
      assertThat(ran.err()).contains(dir.resolve("a") + "/", dir.resolve("b") + "/");
    }
  }

  @Test
  void progressIsOneLinePerStepWithoutATerminal() {
    try (ProgressLine line = new ProgressLine(new PrintWriter(out), false)) {
      line.onProgress(new StartupProgress("network", 0, 1));
      line.onProgress(new StartupProgress("registered", 0, 7));
      line.onProgress(new StartupProgress("registered", 3, 7));
      line.onProgress(new StartupProgress("registered", 7, 7));
    }
    assertThat(out.toString().lines())
        .containsExactly(
            "starting: network", "starting: registered 0/7", "starting: registered 7/7");
  }

  @Test
  void progressIsOneChangingLineOnATerminal() {
    try (ProgressLine line = new ProgressLine(new PrintWriter(out), true)) {
      line.onProgress(new StartupProgress("registered", 3, 7));
    }
    assertThat(out.toString()).isEqualTo("\r\033[Kstarting: registered 3/7\r\033[K");
  }
}
