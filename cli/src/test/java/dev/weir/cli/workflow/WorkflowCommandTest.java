package dev.weir.cli.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.Ran;
import dev.weir.cli.Weir;
import dev.weir.cli.common.Failures;
import dev.weir.cli.common.Json;
import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.imports.Importers;
import dev.weir.workflow.wfformat.WfFormatReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class WorkflowCommandTest {
  private static final String MAKEFLOW =
      """
      .SIZE in.txt 1000
      # weir-hint: right.txt broadcast=3
      left.txt right.txt: in.txt
      	split in.txt
      left.out: left.txt
      	count left.txt > left.out
      right.out: right.txt
      	count right.txt > right.out
      """;

  private static final String SIZED =
      """
      {"rules": [
        {"command": "a", "outputs": ["x"], "resources": {"cores": 2}},
        {"command": "b", "inputs": ["x"], "outputs": ["y"]}]}
      """;

  @TempDir private Path directory;
  private String file;
  private String out = "";
  private String err = "";

  @BeforeEach
  void write() throws Exception {
    file = Files.writeString(directory.resolve("flow.mf"), MAKEFLOW).toString();
  }

  private int run(String... words) {
    Ran ran = Ran.weir(words);
    out = ran.out();
    err = ran.err();
    return ran.code();
  }

  @Test
  void checksManyAndFailsIfOneIsInvalid() throws Exception {
    Path wrong = Files.writeString(directory.resolve("wrong.jx"), "{\"rules\": [x]}");
    assertThat(run("workflow", "check", wrong.toString(), file)).isEqualTo(1);
    assertThat(out).isEqualTo(file + ": fine: 3 tasks, 5 files (makeflow)\n");
    assertThat(err)
        .contains(wrong + ": 1:12: 'x' is not defined; define it under \"define\"")
        .contains(file + ": warning: the sizes of 4 of 5 files are unknown");
    assertThat(run("workflow", "check", wrong.toString(), "--define", "x={\"command\": \"a\"}"))
        .isZero();
  }

  @Test
  void estimatesARunWithoutACluster() throws Exception {
    String flow = Files.writeString(directory.resolve("flow.jx"), SIZED).toString();
    String[] estimate = {"workflow", "estimate", flow, "--nodes", "2", "--link", "100mbit"};
    assertThat(run(estimate)).as(err).isZero();
    assertThat(out)
        .contains(
            "2 tasks on 2 workers of 2 cores and 1024 MiB of memory, 2 nodes, links of 12.5 MB/s")
        .contains("About 0:")
        .contains("6.0 s to start and end")
        .contains("The run times of 2 tasks are unknown: each counts as 1 s");

    List<String> json = new ArrayList<>(List.of(estimate));
    json.addAll(List.of("--json", "--mode", "stock", "--worker-cores", "3", "--replication", "2"));
    assertThat(run(json.toArray(String[]::new))).as(err).isZero();
    JsonNode read = Json.parse(out);
    assertThat(read.path("worker-cores").asInt()).isEqualTo(3);
    assertThat(read.path("task-seconds").asDouble()).isGreaterThan(2);
    assertThat(read.path("seconds").asDouble()).isEqualTo(read.path("task-seconds").asDouble() + 6);
    assertThat(read.path("bytes-moved").asLong()).isPositive();
  }

  @Test
  void refusesAnEstimateForWorkersWithoutRoom() throws Exception {
    String flow = Files.writeString(directory.resolve("flow.jx"), SIZED).toString();
    assertThat(run("workflow", "estimate", flow, "--nodes", "2", "--worker-cores", "1")).isOne();
    assertThat(err).contains("needs 2 cores").contains("--worker-cores");
    assertThat(run("workflow", "estimate", flow, "--nodes", "0")).isNotZero();
    assertThat(err).contains("give 1 or more");
  }

  @Test
  void checksTheNextFileAfterAnException() throws Exception {
    StringWriter output = new StringWriter();
    StringWriter errors = new StringWriter();
    List<Path> files = List.of(Path.of("a.mf"), Path.of("b.mf"), Path.of(file));
    CheckWorkflow.Reader reader =
        one -> {
          if (one.startsWith("a.mf")) {
            throw new IllegalStateException("a mistake\nin the reader");
          }
          if (one.startsWith("b.mf")) {
            throw new StackOverflowError();
          }
          return Importers.standard().read(one, ImportSettings.NONE);
        };
    int code =
        CheckWorkflow.check(
            files, reader, new PrintWriter(output), new PrintWriter(errors), new Failures());
    assertThat(code).isEqualTo(1);
    assertThat(output).hasToString(file + ": fine: 3 tasks, 5 files (makeflow)\n");
    assertThat(errors.toString())
        .startsWith("a.mf: Weir itself failed at it")
        .contains("IllegalStateException: a mistake\\nin the reader\nb.mf: Weir itself failed")
        .hasLineCount(2);
  }

  @Test
  void printsTheStackTraceOfAnInternalErrorOnRequest() {
    assertThat(errorsWhereWarningFails("workflow", "check", file))
        .contains("please report this with the file and what --verbose prints: java.lang.Ill")
        .hasLineCount(1);
    assertThat(errorsWhereWarningFails("workflow", "check", "--verbose", file))
        .startsWith(file + ": Weir itself failed at it")
        .contains("please report this with the file and these lines: java.lang.Ill")
        .contains("\tat dev.weir.cli.workflow.WorkflowOptions.read(");
  }

  /** Returns the error output if printing a warning throws. */
  private static String errorsWhereWarningFails(String... words) {
    StringWriter errors = new StringWriter();
    PrintWriter failing =
        new PrintWriter(errors) {
          @Override
          public void println(@Nullable String line) {
            if (String.valueOf(line).contains(": warning: ")) {
              throw new IllegalStateException("a mistake");
            }
            super.println(line);
          }
        };
    CommandLine weir =
        Weir.commandLine().setOut(new PrintWriter(new StringWriter())).setErr(failing);
    assertThat(weir.execute(words)).isEqualTo(1);
    return errors.toString();
  }

  @Test
  void showsTheStructureOfAWorkflow() throws Exception {
    assertThat(run("workflow", "show", file)).isZero();
    assertThat(out)
        .startsWith("flow (makeflow)\n")
        .contains("count      2")
        .contains("inputs             1  1.0 kB")
        .contains("Widths: 1, 2 (at most 2 side by side)")
        .contains("Longest chain: 2 tasks, 0.0 s: split-1 -> count-2");
    assertThat(run("workflow", "show", file, "--json")).isZero();
    JsonNode json = Json.parse(out);
    assertThat(json.path("format").asText()).isEqualTo("makeflow");
    assertThat(json.path("types").path(1).path("tasks").asInt()).isEqualTo(2);
    assertThat(json.path("widths").path(1).asInt()).isEqualTo(2);
    assertThat(json.path("files").path("inputs").path("bytes").asInt()).isEqualTo(1000);
  }

  @Test
  void abbreviatesLongTimes() throws Exception {
    Path dax =
        Files.writeString(
            directory.resolve("long.dax"),
            """
            <adag name="long"><job id="a" name="a" runtime="1e300">
            <uses name="b" link="output"/></job></adag>
            """);
    assertThat(run("workflow", "show", dax.toString())).isZero();
    assertThat(out).contains("1.0e+300 s: a").doesNotContain("0000000");
  }

  @Test
  void convertsToWfFormat() throws Exception {
    Path written = directory.resolve("flow.json");
    assertThat(run("workflow", "convert", file, "-o", written.toString())).isZero();
    assertThat(run("workflow", "convert", written.toString())).isZero();
    assertThat(out).isEqualTo(Files.readString(written));
    assertThat(
            new WfFormatReader().read(Files.readAllBytes(written), "flow").files().get("right.txt"))
        .hasFieldOrPropertyWithValue("hint", "broadcast=3");
    assertThat(run("workflow", "convert", file, "--to", "dax")).isEqualTo(2);
    assertThat(run("workflow", "convert", file, "--format", "jx")).isEqualTo(1);
    assertThat(err).contains("flow.mf: 1:").hasLineCount(1);
  }

  /** A hint in the workflow takes precedence over an inferred one. */
  @Test
  void infersHintsOfEveryFormat() throws Exception {
    Ran ran =
        Ran.weirWithClustersOf(directory, "hints", "infer", file, "--directory", "/d", "--json");
    assertThat(ran.code()).isZero();
    Map<String, String> reasons = new HashMap<>();
    for (JsonNode rule : Json.parse(ran.out()).path("rules")) {
      reasons.put(rule.path("pattern").asText(), rule.path("reason").asText());
    }
    assertThat(reasons).containsEntry("/d/right.txt", "written in the workflow");
    assertThat(reasons.get("/d/left.txt")).startsWith("read by one task (count)");
  }
}
