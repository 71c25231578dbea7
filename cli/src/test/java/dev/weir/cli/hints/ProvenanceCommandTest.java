package dev.weir.cli.hints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Weir;
import dev.weir.cli.common.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProvenanceCommandTest {
  private static final String LINEAGE =
      """
      {"path":"/m/b","now":{"exists":true,"bytes":4,"modified":"2026-11-21T10:00:11Z"},
       "verdict":"LIKELY","note":"It has the time.",
       "files":[{"key":"f0","path":"/m/b","bytes":4,"made-by":"a0"},{"key":"f1","path":"/m/a"}],
       "attempts":[{"key":"a0","run":"r1","owner":"ann","task":"t","type":"copy","attempt":2,
         "outcome":"SUCCEEDED","command":["cp","a","b"],"worker":"w","node":"n1",
         "dispatched":"2026-11-21T10:00:00Z","ended":"2026-11-21T10:00:10Z","run-millis":1500,
         "used":["f1"],"untold":0,"made":["f0"]}],
       "runs":[{"id":"r1","owner":"ann","workflow":"flow","mode":"weir","state":"SUCCEEDED",
         "stand-in":false,"started":"2026-11-21T09:00:00Z","ended":"2026-11-21T11:00:00Z"}],
       "truncated":false}
      """;

  private static final String RUN =
      """
      {"id":"r1","owner":"ann","workflow":"flow","mode":"weir","state":"FAILED","data-dir":"/m",
       "stand-in":false,"started":"2026-11-21T09:00:00Z","ended":"2026-11-21T11:00:00Z",
       "failure":"t broke","heard":"2026-11-21T11:00:01Z","tasks":3,"tasks-done":2,"attempts":4,
       "input-bytes-local":1500,"input-bytes-remote":2,"output-bytes":3,"cpu-millis":12340,
       "peak-memory-bytes":2500000}
      """;

  private final Shell shell = new Shell();

  @TempDir private Path directory;

  @AfterEach
  void close() {
    shell.close();
  }

  @Test
  void showsTheLineageOfAFile() {
    shell.service().on("GET", "/v1/provenance", 200, LINEAGE);
    assertThat(shell.run("provenance /m/b")).as(shell.err()).isZero();
    assertThat(shell.service().last().query()).containsEntry("path", "/m/b");
    assertThat(shell.out().lines())
        .containsExactly(
            "/m/b  4 bytes",
            "  made by cp a b",
            "    task t, attempt 2 on n1, 1.5 s, ended 2026-11-21T10:00:10Z, in run r1 of ann"
                + " (flow, succeeded)",
            "    /m/a",
            "",
            "It has the time.");
  }

  @Test
  void printsTheServicesJsonAndProv() throws Exception {
    shell.service().on("GET", "/v1/provenance", 200, LINEAGE);
    assertThat(shell.run("provenance /m/b --json")).isZero();
    assertThat(Json.parse(shell.out())).isEqualTo(Json.parse(LINEAGE));
    assertThat(shell.run("provenance /m/b --prov")).isZero();
    assertThat(Json.parse(shell.out()).path("wasGeneratedBy")).hasSize(1);
    assertThat(Json.parse(shell.out()).path("entity").path("weir:f1").path("prov:label").asText())
        .isEqualTo("/m/a");
  }

  @Test
  void showsAndExportsARun() throws Exception {
    String instance = "{\"name\":\"flow\",\"schemaVersion\":\"1.5\",\"workflow\":{}}";
    shell
        .service()
        .on("GET", "/v1/runs", 200, "{\"runs\":[" + RUN + "]}")
        .on("GET", "/v1/runs/r1", 200, RUN)
        .on("GET", "/v1/runs/r1/wfformat", 200, instance);
    assertThat(shell.run("provenance --run r1")).isZero();
    assertThat(shell.out())
        .contains("r1 of ann", "failed: t broke", "2 of 3 done, 4 attempts", "1.5 kB local")
        .contains("12.3 s of processors, at most 2.5 MB of memory");
    assertThat(shell.run("provenance --run r1 --wfformat")).isZero();
    assertThat(Json.parse(shell.out())).isEqualTo(Json.parse(instance));
  }

  @Test
  void controlCharactersAreEscaped() {
    shell
        .service()
        .on(
            "GET",
            "/v1/runs/application_1_0007",
            200,
            RUN.replace("\"flow\"", "\"f\\n\\u001b[2Jw\""));
    assertThat(shell.run("provenance --run application_1_0007")).isZero();
    assertThat(shell.out()).contains("workflow  f\\n\\u001b[2Jw, mode weir");
  }

  @Test
  void forgetsARun() throws Exception {
    shell.service().on("DELETE", "/v1/runs/application_1_0007", 204, "");
    assertThat(shell.run("provenance --run application_1_0007 --owner bob --forget"))
        .as(shell.err())
        .isZero();
    assertThat(shell.service().last().query()).containsEntry("owner", "bob");
    assertThat(shell.out()).contains("application_1_0007 is forgotten");
    assertThat(shell.run("provenance /a --forget")).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"last, application_17_0012", "12, application_17_0012", "16_, application_16_0001"})
  void acceptsAllNamesOfRuns(String name, String id) {
    String known =
        "{\"runs\":[{\"id\":\"application_17_0012\"},{\"id\":\"application_17_0011\"},"
            + "{\"id\":\"application_16_0001\"}]}";
    shell.service().on("GET", "/v1/runs", 200, known).on("GET", "/v1/runs/" + id, 200, RUN);
    assertThat(shell.run("provenance --run " + name)).as(shell.err()).isZero();
    assertThat(shell.run("provenance --run 17_00")).isEqualTo(3);
    assertThat(shell.err()).contains("could be application_17_0012, application_17_0011");
  }

  @Test
  void emptyNameIsNoRun() {
    shell
        .service()
        .on("GET", "/v1/runs", 200, "{\"runs\":[{\"id\":\"application_17_0012\"}]}")
        .on("GET", "/v1/runs/application_17_0012", 200, RUN);
    assertThat(shell.run("provenance --run", "", "--forget")).isEqualTo(2);
    assertThat(shell.err()).contains("--run is empty");
    assertThat(shell.run("provenance --run application_")).as("no such run").isEqualTo(3);
  }

  @Test
  void failureToStoreARunIsReported() throws Exception {
    shell.service().on("GET", "/v1/runs/application_1_0007/wfformat", 200, "{\"name\":\"flow\"}");
    StringWriter err = new StringWriter();
    try (PrintWriter full = new PrintWriter("/dev/full", StandardCharsets.UTF_8)) {
      int code =
          Weir.commandLine()
              .setOut(full)
              .setErr(new PrintWriter(err))
              .execute(
                  "provenance",
                  "--run",
                  "application_1_0007",
                  "--wfformat",
                  "--server",
                  shell.service().url().toString());
      assertThat(code).isEqualTo(1);
    }
    assertThat(err.toString()).contains("could not be written to the end");
  }

  @Test
  void refusesInvalidRequests() {
    assertThat(shell.run("provenance")).isEqualTo(2);
    assertThat(shell.run("provenance /a --run r")).isEqualTo(2);
    assertThat(shell.run("provenance /a --wfformat")).isEqualTo(2);
    assertThat(shell.err()).contains("--run RUN");
    assertThat(shell.run("provenance --run r --prov")).isEqualTo(2);
    assertThat(shell.err())
        .contains("--prov describes files", "(see 'weir help provenance')")
        .hasLineCount(1);
    assertThat(shell.run("provenance /none")).as("no such file").isEqualTo(3);
    assertThat(shell.runAsIs(List.of("provenance", "/a", "--server", "http://127.0.0.1:1")))
        .isEqualTo(5);
  }

  @Test
  void emptySpoolIsReported() throws Exception {
    Path home = Files.createDirectory(directory.resolve("home"));
    String before = System.setProperty("user.home", home.toString());
    try {
      assertThat(shell.run("provenance --deliver")).isZero();
      assertThat(shell.out()).isEqualTo("0 runs delivered" + System.lineSeparator());
    } finally {
      System.setProperty("user.home", before);
    }
  }
}
