package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.it.Distribution;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.wfformat.WfFormatReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code weir provenance} after real runs, also if the hints service stops during one. */
@Tag("nightly")
class ProvenanceIT extends MarkedRuns {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final String SERVICE = "hints";

  ProvenanceIT() {
    super("provenance");
  }

  @Test
  void aFileIsTracedThroughTwoRuns() throws Exception {
    runs.put("chain", Map.of("raw.txt", "b a".getBytes(StandardCharsets.UTF_8)));
    run(twoTasks("first", "raw.txt", "mid.txt", "out.txt"), "chain");
    run(twoTasks("second", "out.txt", "more.txt", "final.txt"), "chain");

    String output = weir("provenance", runs.path("chain", "final.txt"));
    assertThat(output)
        .containsSubsequence(
            "final.txt", "more.txt", "out.txt", "mid.txt", "raw.txt", "The file in HDFS")
        .contains("(second, succeeded)", "(first, succeeded)")
        .doesNotContain("NOT this one");
    assertThat(weir("provenance", runs.path("chain", "final.txt"), "--prov"))
        .contains("wasGeneratedBy", "wasDerivedFrom");

    try (OutputStream out =
        runs.files().fs().create(new org.apache.hadoop.fs.Path(runs.path("chain", "final.txt")))) {
      out.write("a change that no run has recorded".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(weir("provenance", runs.path("chain", "final.txt"))).contains("NOT this one");
  }

  @Test
  void recordsAreDeliveredAfterTheServiceWasDown() throws Exception {
    runs.put("later", Map.of("raw.txt", "b a".getBytes(StandardCharsets.UTF_8)));
    Workflow workflow =
        new ShellWorkflow("later")
            .task("copy", "cat raw.txt > mid.txt", List.of("raw.txt"), List.of("mid.txt"))
            .task(
                "held",
                marks.recordBegin() + marks.waitFor("held") + "cat mid.txt > out.txt",
                List.of("mid.txt"),
                List.of("out.txt"))
            .build();
    String id;
    try (LiveRun run = runs.start(workflow, Mode.WEIR, "later", 1)) {
      id = run.id();
      marks.awaitBegun("held", 1);
      await()
          .atMost(DEADLINE)
          .untilAsserted(() -> assertThat(weir("provenance", "--run", id)).contains("1 of 2 done"));
      cluster.stopDaemon(SERVICE);
      try {
        marks.open("held");
        RunRecord record = run.end();
        assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
        assertThat(spooled()).as("spooled records").isEqualTo(1);
      } finally {
        cluster.startDaemon(SERVICE);
      }
    }
    assertThat(weir("provenance", "--deliver")).contains("1 run delivered");
    assertThat(spooled()).isZero();
    assertThat(weir("provenance", "--run", id)).contains("succeeded", "2 of 2 done, 2 attempts");
    assertThat(weir("provenance", runs.path("later", "out.txt")))
        .containsSubsequence("out.txt", "mid.txt", "raw.txt");
    String exported = weir("provenance", "--run", id, "--wfformat");
    Workflow again =
        new WfFormatReader().read(exported.getBytes(StandardCharsets.UTF_8), "exported run");
    assertThat(again.tasks()).hasSize(2);
  }

  private static Workflow twoTasks(String name, String in, String between, String out) {
    return new ShellWorkflow(name)
        .task(
            "sort", "tr ' ' '\\n' < " + in + " | sort > " + between, List.of(in), List.of(between))
        .task("count", "wc -l < " + between + " > " + out, List.of(between), List.of(out))
        .build();
  }

  private void run(Workflow workflow, String data) throws Exception {
    try (LiveRun run = runs.start(workflow, Mode.WEIR, data, 1)) {
      assertThat(run.end().state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
    }
  }

  private int spooled() throws Exception {
    FileSystem fs = runs.files().fs();
    org.apache.hadoop.fs.Path spool =
        new org.apache.hadoop.fs.Path(fs.getHomeDirectory(), ".weir/spool");
    return fs.exists(spool) ? fs.listStatus(spool).length : 0;
  }

  /** Runs a command; returns its output. */
  private String weir(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(Distribution.built().weir().toString()));
    command.addAll(List.of(words));
    command.addAll(List.of("--cluster", cluster.dir().toString()));
    Path errors = folder.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(() -> String.join(" ", words) + ": " + read(errors)).isZero();
    return out;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
