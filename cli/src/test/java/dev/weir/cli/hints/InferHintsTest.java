package dev.weir.cli.hints;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.common.Json;
import dev.weir.hints.HintCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InferHintsTest {
  private static final String WORKFLOW =
      """
      {"name": "two", "schemaVersion": "1.5", "workflow": {
        "specification": {
          "tasks": [
            {"name": "make", "id": "make", "parents": [], "children": ["use"],
             "inputFiles": [], "outputFiles": ["x.dat"]},
            {"name": "use", "id": "use", "parents": ["make"], "children": [],
             "inputFiles": ["x.dat"], "outputFiles": ["y.dat"]}],
          "files": [{"id": "x.dat", "sizeInBytes": 1000}, {"id": "y.dat", "sizeInBytes": 1000}]},
        "execution": {"tasks": [
          {"id": "make", "runtimeInSeconds": 1, "command": {"program": "make", "arguments": []}},
          {"id": "use", "runtimeInSeconds": 1, "command": {"program": "use", "arguments": []}}]}}}
      """;

  private final Shell shell = new Shell();

  @TempDir private Path directory;
  private String file;

  @BeforeEach
  void write() throws Exception {
    Path path = directory.resolve("two.json");
    Files.writeString(path, WORKFLOW);
    file = path.toString();
  }

  @AfterEach
  void close() {
    shell.close();
  }

  @Test
  void printsRulesWithReasonsWithoutTheService() {
    assertThat(run("--directory", "/d", "--nodes", "4")).isZero();
    assertThat(shell.out()).startsWith("PATTERN").contains("/d/x.dat").contains("/d/y.dat");
    assertThat(shell.service().asked()).isEmpty();
  }

  @Test
  void printsTheServicesJson() throws Exception {
    assertThat(run("--directory", "/d", "--json")).isZero();
    JsonNode rule = Json.parse(shell.out()).path("rules").path(0);
    assertThat(rule.path("pattern").asText()).startsWith("/d/");
    assertThat(rule.path("hint").isObject()).isTrue();
    assertThat(rule.path("text").asText()).isNotEmpty();
    assertThat(rule.path("reason").asText()).isNotEmpty();
  }

  @Test
  void printsASet() {
    assertThat(run("--directory", "/d", "--set", "s")).isZero();
    assertThat(HintCodec.fromJson(shell.out(), "out").rules()).isNotEmpty();
  }

  private static String reader(String id) {
    return "{\"name\":\"use\",\"id\":\""
        + id
        + "\",\"inputFiles\":[\"in.dat\"],\"outputFiles\":[]}";
  }

  /** A file that 40 tasks read. */
  private void writeBroadcast(long bytes) throws Exception {
    String readers =
        IntStream.range(0, 40).mapToObj(i -> reader("use-" + i)).collect(Collectors.joining(","));
    Files.writeString(
        Path.of(file),
        "{\"name\":\"many\",\"schemaVersion\":\"1.5\",\"workflow\":{\"specification\":{\"tasks\":["
            + readers
            + "],\"files\":[{\"id\":\"in.dat\",\"sizeInBytes\":"
            + bytes
            + "}]}}}");
  }

  @Test
  void copiesAreLimitedByFreeSpace() throws Exception {
    writeBroadcast(10_000_000);

    assertThat(run("--directory", "/d", "--nodes", "8")).isZero();
    assertThat(shell.out()).contains("broadcast=8");
    assertThat(run("--directory", "/d", "--nodes", "8", "--free", "100000000")).isZero();
    assertThat(shell.out()).contains("broadcast=5").contains("there is no room for more");
  }

  @Test
  void smallFilesAreCopiedOverSlowLinksOnly() throws Exception {
    writeBroadcast(20_000);

    assertThat(run("--directory", "/d", "--nodes", "8")).isZero();
    assertThat(shell.out()).contains("Nothing to advise");
    assertThat(run("--directory", "/d", "--nodes", "8", "--link", "10mbit")).isZero();
    assertThat(shell.out()).contains("broadcast=8").contains("at 1.3 MB/s");
    assertThat(run("--nodes", "8", "--link", "unlimited")).isEqualTo(2);
    assertThat(shell.err()).contains("--link needs a rate, such as 1gbit");
  }

  @Test
  void pinsRereadFilesIfDataNodesHaveMemory() throws Exception {
    String readers =
        IntStream.range(0, 10)
            .mapToObj(
                i ->
                    ("{\"name\":\"read\",\"id\":\"read-%d\",\"inputFiles\":[\"x.dat\"],"
                            + "\"outputFiles\":[]%s}")
                        .formatted(i, i == 0 ? "" : ",\"parents\":[\"read-" + (i - 1) + "\"]"))
            .collect(Collectors.joining(","));
    Files.writeString(
        Path.of(file),
        "{\"name\":\"again\",\"schemaVersion\":\"1.5\",\"workflow\":{\"specification\":{\"tasks\":["
            + "{\"name\":\"make\",\"id\":\"make\",\"inputFiles\":[],\"outputFiles\":[\"x.dat\"]},"
            + readers
            + "],\"files\":[{\"id\":\"x.dat\",\"sizeInBytes\":10000000}]}}}");

    assertThat(run("--directory", "/d", "--nodes", "2")).isZero();
    assertThat(shell.out())
        .contains("/d/x.dat")
        .contains("pipeline,temporary ")
        .contains("reuse: 10.0 readers each (read), one after another");
    assertThat(run("--directory", "/d", "--nodes", "2", "--cache-memory", "40000000")).isZero();
    assertThat(shell.out()).contains("pipeline,temporary,cache ");
  }

  @Test
  void refusesAClusterWithoutNodesAndAnInvalidFile() {
    assertThat(run("--nodes", "0")).isEqualTo(2);
    assertThat(run("--free", "-1")).isEqualTo(2);
    assertThat(run("--cache-memory", "-1")).isEqualTo(2);
    assertThat(shell.runAsIs(List.of("hints", "infer", file + "x"))).isEqualTo(1);
    assertThat(shell.err()).contains("two.jsonx").hasLineCount(1);
  }

  private int run(String... options) {
    List<String> words = new java.util.ArrayList<>(List.of("hints", "infer", file));
    words.addAll(List.of(options));
    return shell.runAsIs(words);
  }
}
