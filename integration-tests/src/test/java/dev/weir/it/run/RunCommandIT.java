package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.it.Distribution;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code weir run} in its own process. */
class RunCommandIT extends MarkedRuns {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");

  RunCommandIT() {
    super("command");
  }

  @Test
  void aPermanentlyFailedTaskIsReportedWithExitCodeOne() throws Exception {
    Workflow workflow =
        new ShellWorkflow("fails")
            .task("copy", "cat in.txt > copy.txt", List.of("in.txt"), List.of("copy.txt"))
            .task(
                "broken",
                "echo 'no such catalogue' >&2; exit 3",
                List.of("copy.txt"),
                List.of("never.txt"))
            .build();
    runs.put("fails", Map.of("in.txt", new byte[1000]));

    Process process = weir("fails", workflow);

    assertThat(process.waitFor()).as(output()).isEqualTo(1);
    assertThat(output())
        .contains("The task 'broken' failed permanently after 3 attempts")
        .contains("sh -c 'echo '\\''no such catalogue'\\'' >&2; exit 3'")
        .contains("exit code: 3")
        .containsPattern("node: +n[1-4]\n")
        .contains("    no such catalogue", "weir logs " + onlyId() + " broken")
        .contains("Report: " + folder.resolve("out/report.html"));
    assertThat(folder.resolve("out/report.html")).isRegularFile();
    Path file = folder.resolve("out/run.json");
    RunRecord record = RunRecordCodec.fromJson(Files.readString(file), file.toString());
    assertThat(record.state()).isEqualTo(RunState.FAILED);
    assertThat(record.tasks().stream().filter(task -> task.outcome() == Outcome.FAILED))
        .hasSize(3)
        .allMatch(task -> task.exitCode() == 3);
  }

  @Test
  void anInterruptedCommandCancelsItsRun() throws Exception {
    Workflow workflow =
        new ShellWorkflow("interrupted")
            .task("wait", marks.recordBegin() + marks.waitFor("never"), List.of(), List.of())
            .build();
    Process process = weir("interrupted", workflow);
    marks.awaitBegun("wait", 1);
    long shell = marks.begun("wait").get(0).pid();

    signal(process, "INT");

    assertThat(process.waitFor()).as(output()).isNotZero();
    assertThat(output()).doesNotContain("left no record");
    String id = onlyId();
    assertThat(report(id).getYarnApplicationState())
        .as(output())
        .isEqualTo(YarnApplicationState.FINISHED);
    assertThat(isInHome(".weir/runs/" + id + "/lib")).as("jars of the run").isFalse();
    assertThat(isInHome(".weir/runs/" + id + "/run.json")).as("its record").isTrue();
    Path file = folder.resolve("out/run.json");
    assertThat(RunRecordCodec.fromJson(Files.readString(file), file.toString()).state())
        .isEqualTo(RunState.CANCELLED);
    await().atMost(DEADLINE).until(() -> Processes.hasEnded(shell));
  }

  @Test
  void aMissingInputIsRefusedBeforeTheStart() throws Exception {
    Workflow workflow =
        new ShellWorkflow("lacking")
            .task("copy", "cat in.txt > copy.txt", List.of("in.txt"), List.of("copy.txt"))
            .build();

    Process process = weir("lacking", workflow);

    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(output())
        .contains(runs.path("lacking", "in.txt") + " (read by task 'copy')", "--upload")
        .doesNotContainPattern(APPLICATION);
  }

  @Tag("nightly")
  @Test
  void aRunGoesToItsQueueAndAnInvalidQueueIsRefused() throws Exception {
    Workflow workflow =
        new ShellWorkflow("queued")
            .task("make", "echo 1 > out.txt", List.of(), List.of("out.txt"))
            .build();
    try (ScienceQueue science = new ScienceQueue(cluster)) {
      assertThat(weir("queued", workflow, "--queue", "science").waitFor()).as(output()).isZero();
      assertThat(report(onlyId()).getQueue()).isIn("science", "root.science");

      assertThat(weir("queued", workflow, "--queue", "nowhere").waitFor()).isEqualTo(1);
      assertRefused("nowhere");

      science.stop();
      assertThat(weir("queued", workflow, "--queue", "science").waitFor()).isEqualTo(1);
      assertRefused("science");
    }
  }

  private void assertRefused(String queue) throws Exception {
    assertThat(output())
        .contains("YARN refuses the run in the queue '" + queue + "': ")
        .contains("root.default, root.science; name one with --queue")
        .doesNotContain("Exception", "killing");
    assertThat(isInHome(".weir/runs/" + onlyId())).isFalse();
  }

  private String onlyId() throws IOException {
    Matcher id = APPLICATION.matcher(output());
    assertThat(id.find()).as(output()).isTrue();
    return id.group();
  }

  @Tag("nightly")
  @Test
  void aChangedVariablePreventsReuse() throws Exception {
    Workflow workflow = variables();
    Path published = folder.resolve("published");

    assertSucceeds("variables", workflow, "--env", "TOOL_VERSION=1");
    assertThat(runs.text("variables", "out.txt")).isEqualTo("1\n");
    assertThat(output()).contains("Results: 1 file (2 B) in hdfs://", "\n  out.txt  2 B\n");

    assertSucceeds(
        "variables",
        workflow,
        "--env",
        "TOOL_VERSION=1",
        "--download",
        folder.resolve("results").toString(),
        "--publish",
        published.toUri().toString());
    assertThat(output()).contains("2 tasks taken over");
    assertThat(folder.resolve("results/out.txt")).hasContent("1");
    assertThat(published.resolve("out.txt")).hasContent("1");

    assertSucceeds("variables", workflow, "--env", "TOOL_VERSION=2", "--master-memory", "640");
    assertThat(runs.text("variables", "out.txt")).isEqualTo("2\n");
    assertThat(output()).doesNotContain("taken over");
  }

  @Test
  void movedResultsAreMadeAgain() throws Exception {
    String[] moving = {"--env", "TOOL_VERSION=1", "--publish", "moved", "--move"};

    assertSucceeds("moved", variables(), moving);
    assertThat(output())
        .contains("(2 B) moved to hdfs://", "/moved\n  out.txt")
        .doesNotContain("Results: 1 file (2 B) in ");

    assertSucceeds("moved", variables(), moving);
    assertThat(output()).contains(", 1 task taken over").doesNotContain("2 tasks taken over");
  }

  private static Workflow variables() {
    return new ShellWorkflow("variables")
        .task("make", "echo $TOOL_VERSION > mid.txt", List.of(), List.of("mid.txt"))
        .task("copy", "cat mid.txt > out.txt", List.of("mid.txt"), List.of("out.txt"))
        .build();
  }

  private void assertSucceeds(String data, Workflow workflow, String... more) throws Exception {
    assertThat(weir(data, workflow, more).waitFor()).as(output()).isZero();
  }

  @Tag("nightly")
  @ParameterizedTest
  @ValueSource(strings = {"INT", "KILL"})
  void aKilledUploadLeavesNoPartialInput(String signal) throws Exception {
    Workflow workflow =
        new ShellWorkflow("upload")
            .task("copy", "cat in.txt > copy.txt", List.of("in.txt"), List.of("copy.txt"))
            .build();
    String data = "upload-" + signal;
    Path local = Files.createDirectory(folder.resolve("inputs"));
    try (RandomAccessFile large = new RandomAccessFile(local.resolve("in.txt").toFile(), "rw")) {
      large.setLength(8L << 30);
    }

    Process process = weir(data, workflow, "--upload", local.toString());
    await().atMost(DEADLINE).pollInterval(POLL).until(() -> isUploading(data));
    signal(process, signal);

    assertThat(process.waitFor()).as(output()).isNotZero();
    if (signal.equals("INT")) {
      assertThat(names(data)).as("uploaded files; Hadoop's client closes open ones").isEmpty();
      assertThat(output()).doesNotContain("closed", "Exception");
    } else {
      assertThat(names(data)).hasSize(1).allMatch(name -> name.startsWith("in.txt.weir-upload-"));
    }
    assertThat(weir(data, workflow).waitFor()).isEqualTo(1);
    assertThat(output()).contains("not in HDFS").doesNotContainPattern(APPLICATION);
    runs.files().fs().delete(new org.apache.hadoop.fs.Path(runs.path(data, ".")), true);
  }

  private List<String> names(String data) throws IOException {
    try {
      return Arrays.stream(
              runs.files().fs().listStatus(new org.apache.hadoop.fs.Path(runs.path(data, "."))))
          .map(file -> file.getPath().getName())
          .toList();
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  /** Whether the command writes a file; before, it may not have registered it for deletion. */
  private boolean isUploading(String data) throws IOException {
    DistributedFileSystem fs = (DistributedFileSystem) runs.files().fs();
    for (String name : names(data)) {
      if (fs.getClient().getLocatedBlocks(runs.path(data, name), 0).getLastLocatedBlock() != null) {
        return true;
      }
    }
    return false;
  }

  private Process weir(String data, Workflow workflow, String... more) throws IOException {
    Path file = folder.resolve("workflow.json");
    WfFormatWriter.write(workflow, file);
    // A shell's background jobs and their children ignore SIGINT.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(List.of(Distribution.built().weir().toString(), "run", file.toString()));
    command.addAll(List.of("--cluster", cluster.dir().toString(), "--workers", "2"));
    command.addAll(List.of("--data", runs.path(data, ".")));
    command.addAll(List.of("--out", folder.resolve("out").toString()));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start();
  }

  private boolean isInHome(String path) throws IOException {
    var fs = runs.files().fs();
    return fs.exists(new org.apache.hadoop.fs.Path(fs.getHomeDirectory(), path));
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("output"));
  }

  private static void signal(Process process, String signal) throws Exception {
    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
  }

  private ApplicationReport report(String id) throws Exception {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(cluster.configuration());
      yarn.start();
      return yarn.getApplicationReport(ApplicationId.fromString(id));
    }
  }
}
