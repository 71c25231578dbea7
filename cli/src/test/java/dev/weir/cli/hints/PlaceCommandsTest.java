package dev.weir.cli.hints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cli.common.Json;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlaceCommandsTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  @Test
  void locatesFiles() throws Exception {
    shell
        .service()
        .on(
            "POST",
            "/v1/locations",
            200,
            "{\"files\":[{\"path\":\"/a\",\"bytes\":5000000,\"blocks\":2,\"nodes\":["
                + "{\"host\":\"n1\",\"rack\":\"/r\",\"bytes\":5000000,\"cached-bytes\":0},"
                + "{\"host\":\"n2\",\"rack\":\"/r\",\"bytes\":1000,\"cached-bytes\":1000}]}]}");
    assertThat(shell.run("locate /a")).isZero();
    assertThat(shell.out().lines())
        .containsExactly(
            "PATH   BYTES  BLOCKS  NODES",
            "/a    5.0 MB       2  n1, n2 1.0 kB (1.0 kB in memory)");
    assertThat(shell.run("locate /a --json")).isZero();
    assertThat(Json.parse(shell.out()).path("files")).hasSize(1);
  }

  @Test
  void missingOrUnreadableFileSetsTheExitCode() {
    shell
        .service()
        .on(
            "POST",
            "/v1/locations",
            200,
            "{\"files\":[{\"path\":\"/a\",\"error\":\"not-found\"},"
                + "{\"path\":\"/b\",\"bytes\":0,\"blocks\":0,\"nodes\":[]}]}")
        .on(
            "POST",
            "/v1/locations",
            200,
            "{\"files\":[{\"path\":\"/a\",\"error\":\"not-found\"},"
                + "{\"path\":\"/b\",\"error\":\"not-readable\"}]}");
    assertThat(shell.run("locate /a /b")).isEqualTo(3);
    assertThat(shell.out()).contains("not found");
    assertThat(shell.run("locate /a /b")).isEqualTo(4);
    assertThat(shell.out()).contains("not readable");
  }

  @ParameterizedTest
  @ValueSource(strings = {"explain /a", "hints explain /a"})
  void explainsAFile(String command) {
    shell
        .service()
        .on(
            "GET",
            "/v1/explain",
            200,
            "{\"path\":\"/a\",\"rule\":{\"set\":\"s\",\"owner\":\"ann\",\"pattern\":\"/*\","
                + "\"text\":\"broadcast=2\"},\"wanted\":{\"replicas\":2,\"nodes\":[],"
                + "\"why\":\"many read it\"},\"actual\":{\"replication\":3,"
                + "\"block-size\":134217728,\"blocks\":[{\"offset\":0,\"length\":5,"
                + "\"nodes\":[\"n1\",\"n2\",\"n3\"]}]},"
                + "\"differences\":[{\"what\":\"3 replicas\",\"why\":\"written before the rule\"}]}");
    assertThat(shell.run(command)).isZero();
    assertThat(shell.out().lines())
        .containsExactly(
            "/a",
            "  rule     /* is broadcast=2, set s of ann",
            "  wanted   2 replicas (many read it)",
            "  actual   replication 3, block size 134.2 MB",
            "           OFFSET  LENGTH  NODES",
            "                0     5 B  n1, n2, n3",
            "  differs  3 replicas: written before the rule");
  }

  @Test
  void explainsAFileWithoutARule() {
    shell
        .service()
        .on(
            "GET",
            "/v1/explain",
            200,
            "{\"path\":\"/a\",\"rule\":null,\"wanted\":{},\"actual\":{\"replication\":3,"
                + "\"block-size\":1048576,\"blocks\":[]},\"differences\":[]}");
    assertThat(shell.run("explain /a")).isZero();
    assertThat(shell.out()).contains("rule     none").contains("wanted   nothing special");
  }

  @Test
  void missingFileIsExplainedAndNotFound() {
    shell
        .service()
        .on(
            "GET",
            "/v1/explain",
            200,
            "{\"path\":\"/a\",\"rule\":null,\"wanted\":{},\"actual\":{\"replication\":0,"
                + "\"block-size\":0,\"blocks\":[]},\"differences\":[]}");
    assertThat(shell.run("explain /a")).isEqualTo(3);
    assertThat(shell.out()).contains("actual   there is no such file");
  }

  @Test
  void unavailableServiceIsReportedInOneLineWithRemedy() {
    shell.close();
    assertThat(shell.run("explain /a")).isEqualTo(5);
    assertThat(shell.err()).contains("does not answer", "weir.server.url").hasLineCount(1);
  }

  @Test
  void missingServiceIsReportedInOneLine() {
    assertThat(shell.runAsIs(List.of("explain", "/a", "--server", ""))).isEqualTo(5);
    assertThat(shell.err()).hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({
    "file:///, No cluster is configured, weir cluster start",
    "hdfs://nn:8020, weir.server.url is not set, weir server"
  })
  void remedyForAMissingServiceDependsOnWhetherThereIsACluster(
      String fileSystem, String problem, String remedy) {
    Configuration configuration = new Configuration(false);
    configuration.set("fs.defaultFS", fileSystem);

    assertThatThrownBy(() -> ServiceOptions.open(configuration))
        .hasMessageContainingAll(problem, remedy);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 409, 500, 503})
  void everyProblemIsOneLineWithItsExitCode(int status) {
    shell
        .service()
        .on(
            "GET",
            "/v1/explain",
            status,
            "{\"title\":\"T\",\"status\":" + status + ",\"detail\":\"what is wrong\"}");
    int expected =
        switch (status) {
          case 400 -> 2;
          case 401, 403 -> 4;
          case 404 -> 3;
          case 503 -> 5;
          default -> 1;
        };
    assertThat(shell.run("explain /a")).isEqualTo(expected);
    assertThat(shell.err()).contains("weir:", "what is wrong").hasLineCount(1);
    assertThat(shell.out()).isEmpty();
  }
}
