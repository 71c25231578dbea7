package dev.weir.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Weir;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DemoCommandTest {

  @TempDir private Path directory;

  private final StringWriter err = new StringWriter();

  @Test
  void mosaicOfOneTileIsRefused() {
    assertThat(run("--tiles", "1", "--link", "unlimited")).isEqualTo(2);
    assertThat(err.toString()).contains("A mosaic takes 2 to 10000 tiles, not 1");
  }

  @Test
  void duplicateModeIsRefused() {
    assertThat(run("--modes", "weir,weir", "--link", "unlimited")).isEqualTo(2);
    assertThat(err.toString()).contains("name at least one, and none of them twice");
  }

  @Test
  void unknownModeIsRefusedWithTheKnownOnes() {
    assertThat(run("--modes", "fast")).isEqualTo(2);
    assertThat(err.toString()).contains("fast").containsIgnoringCase("locality");
  }

  @Test
  void clusterWithoutNodesIsRefused() {
    assertThat(run("--nodes", "0", "--link", "unlimited")).isEqualTo(2);
    assertThat(err.toString()).contains("0 nodes");
  }

  @Test
  void invalidRateIsRefused() {
    assertThat(run("--link", "fast")).isEqualTo(2);
    assertThat(err.toString()).contains("as in 200mbit");
  }

  private int run(String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "demo";
    all[1] = "--out";
    all[2] = directory.resolve("out").toString();
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    CommandLine commandLine = Weir.commandLine();
    commandLine.setErr(new PrintWriter(err, true));
    int code = commandLine.execute(all);
    assertThat(directory.resolve("out")).doesNotExist();
    return code;
  }
}
