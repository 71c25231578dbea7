package dev.weir.cli.hints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.common.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AutoCommandsTest {
  private static final String PROFILE =
      "{\"files\":[{\"path\":\"/a\",\"reads\":2.5,\"writes\":0.0}]}";

  private final Shell shell = new Shell();

  @TempDir private Path directory;

  @AfterEach
  void close() {
    shell.close();
  }

  @Test
  void showsThePlan() {
    shell
        .service()
        .on(
            "GET",
            "/v1/auto-replication",
            200,
            "{\"time\":\"2030-01-01T00:00:00Z\",\"namenodes-counting\":2,"
                + "\"counts-established\":false,\"files\":7,\"budget\":5000000,"
                + "\"bytes\":1000000,\"price\":0.0,\"changes\":1,\"plan\":["
                + "{\"path\":\"/a\",\"own\":2,\"from\":2,\"to\":4,\"utility\":5.666}]}");
    assertThat(shell.run("hints auto --plan")).isZero();
    assertThat(shell.out().lines())
        .containsExactly(
            "files     7 under auto",
            "copies    1.0 MB of a budget of 5.0 MB",
            "counts    of 2 NameNodes, for less than a half-life: no copy is removed yet",
            "changes   1 planned",
            "PATH  OWN  NOW  THEN  UTILITY",
            "/a      2    2     4     5.67");
    assertThat(shell.run("hints auto")).isZero();
    assertThat(shell.out()).hasLineCount(4);
  }

  @Test
  void savesAndLoadsAProfile() throws Exception {
    shell
        .service()
        .on("GET", "/v1/auto-replication/profile", 200, PROFILE)
        .on("POST", "/v1/auto-replication/profile", 200, "{\"files\":1}");
    Path file = directory.resolve("use.json");
    assertThat(shell.run("hints profile export " + file)).isZero();
    assertThat(Json.parse(Files.readString(file))).isEqualTo(Json.parse(PROFILE));
    assertThat(shell.run("hints profile import " + file)).isZero();
    assertThat(shell.out()).isEqualTo("added the use of 1 files" + System.lineSeparator());
    assertThat(shell.run("hints profile import " + Files.writeString(file, "{"))).isEqualTo(2);
  }

  @Test
  void explainsTheUseOfAFile() {
    shell
        .service()
        .on(
            "GET",
            "/v1/explain",
            200,
            "{\"path\":\"/a\",\"rule\":{\"set\":\"s\",\"owner\":\"ann\",\"pattern\":\"/*\","
                + "\"text\":\"auto\"},\"wanted\":{\"replicas\":0,\"nodes\":[],\"why\":\"\"},"
                + "\"actual\":{\"replication\":3,\"block-size\":1000,\"blocks\":[]},"
                + "\"use\":{\"reads\":40,\"writes\":1,\"utility\":2.333,\"why\":\"it pays\"},"
                + "\"differences\":[]}");
    assertThat(shell.run("explain /a")).isZero();
    assertThat(shell.out())
        .contains("  use      40.0 reads, 1.0 writes; one more replica saves 2.33: it pays");
  }
}
