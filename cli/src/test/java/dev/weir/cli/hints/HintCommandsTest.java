package dev.weir.cli.hints;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.common.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HintCommandsTest {
  private static final String HINT =
      "{\"path\":\"/a/x\",\"hint\":\"pipeline\",\"text\":\"pipeline\",\"set\":\"s\","
          + "\"owner\":\"ann\",\"pattern\":\"/a/**\",\"version\":3}";
  private static final String SET =
      "{\"id\":\"s\",\"owner\":\"ann\",\"version\":3,\"rules\":"
          + "[{\"pattern\":\"/a\",\"hint\":\"pipeline\",\"text\":\"pipeline\"}]}";

  private final Shell shell = new Shell();

  @TempDir private Path directory;

  @AfterEach
  void close() {
    shell.close();
  }

  @Test
  void setsTheHintOfAPath() throws Exception {
    shell
        .service()
        .on("PUT", "/v1/hints", 201, "{\"id\":\"path-0\",\"version\":7,\"pattern\":\"/a/**\"}");
    assertThat(shell.run("hints set /a/ broadcast=8 --expires 12h")).isZero();
    assertThat(shell.out()).isEqualTo(lines("/a/** is broadcast=8 (set path-0, version 7)"));
    assertThat(shell.err()).isEmpty();
    assertThat(shell.service().last().query()).containsEntry("path", "/a/");
    assertThat(sent().path("hint").asText()).isEqualTo("broadcast=8");
    assertThat(sent().path("expires").asText())
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
  }

  @Test
  void warnsThatAMissingPathCountsAsAFile() throws Exception {
    shell
        .service()
        .on("PUT", "/v1/hints", 201, "{\"id\":\"path-0\",\"version\":7,\"pattern\":\"/no/such\"}");
    assertThat(shell.run("hints set /no/such pipeline")).isZero();
    assertThat(shell.err()).contains("/no/such is not there yet").contains("'/no/such/'");
  }

  @Test
  void printsWarningsOfTheService() throws Exception {
    String warned = "{\"id\":\"s\",\"version\":7,\"warnings\":[\"no memory\"]}";
    shell.service().on("PUT", "/v1/hints", 201, warned).on("PUT", "/v1/hint-sets/s", 200, warned);
    assertThat(shell.run("hints set /a/ reuse")).isZero();
    assertThat(shell.err()).isEqualTo(lines("weir: no memory"));
    Path file = Files.writeString(directory.resolve("s.json"), SET);
    assertThat(shell.run("hints import " + file)).isZero();
    assertThat(shell.err()).isEqualTo(lines("weir: no memory"));
  }

  @Test
  void setsAHintThatIsAnObject() throws Exception {
    shell.service().on("PUT", "/v1/hints", 200, "{\"id\":\"path-0\",\"version\":7}");
    assertThat(shell.run("hints set /a", "{\"cache\": true}")).isZero();
    assertThat(sent().path("hint").path("cache").asBoolean()).isTrue();
    assertThat(shell.run("hints set /a", "{\"cache\": ")).isEqualTo(2);
    assertThat(shell.err()).contains("begins like a JSON object").hasLineCount(1);
  }

  @Test
  void waitsForTheNameNodeUpToTheTimeout() {
    shell
        .service()
        .on("PUT", "/v1/hints", 201, "{\"id\":\"path-0\",\"version\":7,\"applied\":true}")
        .on(
            "PUT",
            "/v1/hints",
            202,
            "{\"id\":\"path-0\",\"version\":8,\"applied\":false,"
                + "\"watchers\":[{\"role\":\"namenode\"}]}")
        .on("PUT", "/v1/hints", 202, "{\"id\":\"path-0\",\"version\":9,\"applied\":false}");
    assertThat(shell.run("hints set /a pipeline --await --timeout 2s")).isZero();
    assertThat(shell.out()).contains("version 7, applied by the NameNode)");
    assertThat(shell.service().last().query())
        .containsEntry("await", "applied")
        .containsEntry("timeout", "2s");
    assertThat(shell.run("hints set /a pipeline --await")).isEqualTo(1);
    assertThat(shell.err()).contains("within 5.0 s").hasLineCount(1);
    assertThat(shell.run("hints set /a pipeline --await")).isEqualTo(1);
    assertThat(shell.err()).contains("no NameNode follows the hints").hasLineCount(1);
  }

  @Test
  void setsARuleOfASet() throws Exception {
    shell.service().on("PATCH", "/v1/hint-sets/s", 200, "{\"id\":\"s\",\"version\":9}");
    assertThat(shell.run("hints set /run/*/x pipeline --set s")).isZero();
    assertThat(sent().path("rules").path(0).path("pattern").asText()).isEqualTo("/run/*/x");
    assertThat(shell.out()).contains("(set s, version 9)");
  }

  @Test
  void createsAMissingSetAndOverwritesNone() {
    shell
        .service()
        .on("PATCH", "/v1/hint-sets/s", 404, "")
        .on("PATCH", "/v1/hint-sets/s", 200, "{\"id\":\"s\",\"version\":9}")
        .on("PUT", "/v1/hint-sets/s", 412, "");
    assertThat(shell.run("hints set /a pipeline --set s")).isZero();
    assertThat(shell.service().asked())
        .extracting(asked -> asked.method())
        .containsExactly("PATCH", "PUT", "PATCH");
    assertThat(shell.service().asked().get(1).headers()).containsEntry("if-none-match", "*");
  }

  @Test
  void getsTheHintOfAPath() {
    shell.service().on("GET", "/v1/hints", 200, HINT);
    assertThat(shell.run("hints get /a/x")).isZero();
    assertThat(shell.out())
        .isEqualTo(lines("/a/x is pipeline", "  pattern  /a/**", "  set      s of ann, version 3"));
    assertThat(shell.run("hints get /a/x --json")).isZero();
    assertThat(shell.out()).contains("  \"text\": \"pipeline\",");
  }

  @Test
  void listsSetsOfAllPages() throws Exception {
    shell
        .service()
        .on(
            "GET",
            "/v1/hint-sets",
            200,
            "{\"hint-sets\":[{\"id\":\"a\",\"owner\":\"ann\",\"rules\":12,\"version\":9}],"
                + "\"next\":\"a\"}")
        .on(
            "GET",
            "/v1/hint-sets",
            200,
            "{\"hint-sets\":[{\"id\":\"b\",\"owner\":\"ben\",\"rules\":1,\"version\":10,"
                + "\"expires\":\"2030-01-01T00:00:00Z\"}]}");
    assertThat(shell.run("hints ls --owner ann --prefix m")).isZero();
    assertThat(shell.out())
        .isEqualTo(
            lines(
                "ID  OWNER  RULES  VERSION  EXPIRES",
                "a   ann       12        9  never",
                "b   ben        1       10  2030-01-01T00:00:00Z"));
    assertThat(shell.service().last().query())
        .containsEntry("after", "a")
        .containsEntry("owner", "ann")
        .containsEntry("prefix", "m");
    assertThat(shell.run("hints ls --json")).isZero();
    assertThat(Json.parse(shell.out()).path("hint-sets")).hasSize(1);
  }

  @Test
  void saysWhenThereAreNoSets() {
    shell.service().on("GET", "/v1/hint-sets", 200, "{\"hint-sets\":[]}");
    assertThat(shell.run("hints ls")).isZero();
    assertThat(shell.out()).isEqualTo(lines("No hint sets."));
  }

  @Test
  void removesTheHintOfAPathOrASet() {
    shell.service().on("DELETE", "/v1/hints", 204, "").on("DELETE", "/v1/hint-sets/s", 204, "");
    assertThat(shell.run("hints rm /a")).isZero();
    assertThat(shell.out()).isEqualTo(lines("/a has no hint of its own now"));
    assertThat(shell.run("hints rm --set s")).isZero();
    assertThat(shell.out()).isEqualTo(lines("removed set s"));
    assertThat(shell.run("hints rm --set s --json")).isZero();
    assertThat(shell.out()).isEmpty();
    assertThat(shell.run("hints rm")).isEqualTo(2);
    assertThat(shell.run("hints rm /a --set s")).isEqualTo(2);
  }

  @Test
  void exportsASetAsItIsImported() throws Exception {
    shell.service().on("GET", "/v1/hint-sets/s", 200, SET);
    Path file = directory.resolve("s.json");
    assertThat(shell.run("hints export s -o", file.toString())).isZero();
    assertThat(shell.run("hints export s")).isZero();
    assertThat(shell.out()).isEqualTo(Files.readString(file)).doesNotContain("version");
    assertThat(shell.out()).contains("\"hint\": \"pipeline\"");
    shell.service().on("PUT", "/v1/hint-sets/s", 200, "{\"id\":\"s\",\"version\":4}");
    assertThat(shell.run("hints import", file.toString())).isZero();
    assertThat(shell.out()).isEqualTo(lines("set s has 1 rule, version 4"));
    assertThat(sent()).isEqualTo(Json.parse(Files.readString(file)));
  }

  @Test
  void importsOnlyValidSets() throws Exception {
    Path file = directory.resolve("s.json");
    assertThat(shell.run("hints import", file.toString())).isEqualTo(1);
    assertThat(shell.err()).contains("There is no file " + file);
    Files.writeString(file, "[]");
    assertThat(shell.run("hints import", file.toString())).isEqualTo(2);
    Files.writeString(file, "{");
    assertThat(shell.run("hints import", file.toString())).isEqualTo(2);
    Files.writeString(file, "{\"rules\":[]}");
    assertThat(shell.run("hints import", file.toString())).isEqualTo(2);
    assertThat(shell.err()).contains("has no field 'id'").hasLineCount(1);
    shell.service().on("PUT", "/v1/hint-sets/t", 201, "{\"id\":\"t\",\"version\":4}");
    assertThat(shell.run("hints import --id t", file.toString())).isZero();
  }

  @Test
  void extendsASet() throws Exception {
    shell
        .service()
        .on(
            "POST",
            "/v1/hint-sets/s:keep-alive",
            200,
            "{\"id\":\"s\",\"version\":4,\"expires\":\"2030-01-01T00:00:00Z\"}");
    assertThat(shell.run("hints keep s --for 12h")).isZero();
    assertThat(shell.out()).isEqualTo(lines("set s expires at 2030-01-01T00:00:00Z"));
    assertThat(sent().path("for").asText()).isEqualTo("43200s");
    assertThat(shell.run("hints keep s --for soon")).isEqualTo(2);
    assertThat(shell.err()).contains("'soon' is no time; write one such as 12h");
  }

  @Test
  void invalidNameOfASetIsWrongUsage() {
    assertThat(shell.run("hints export ../etc")).isEqualTo(2);
    assertThat(shell.err()).contains("hint set id '../etc' is not valid").hasLineCount(1);
    assertThat(shell.service().asked()).isEmpty();
  }

  @Test
  void listsWatchers() {
    shell
        .service()
        .on(
            "GET",
            "/v1/watchers",
            200,
            "{\"version\":9,\"watchers\":[{\"role\":\"namenode\",\"host\":\"m\","
                + "\"process\":\"12\",\"version\":8,\"behind\":true,\"active\":true}]}");
    assertThat(shell.run("hints watchers")).isZero();
    assertThat(shell.out())
        .isEqualTo(
            lines(
                "The hints are at version 9.",
                "ROLE      HOST  PROCESS  VERSION  STATE",
                "namenode  m     12             8  behind, active"));
  }

  private JsonNode sent() throws Exception {
    return Json.parse(shell.service().last().body());
  }

  private static String lines(String... lines) {
    return String.join(System.lineSeparator(), List.of(lines)) + System.lineSeparator();
  }
}
