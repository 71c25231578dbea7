package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.staging.IntermediateStore;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RetentionPolicy;
import dev.weir.workflow.staging.RunOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Intermediate files that stay on the nodes that make them, and results with losses. */
@Tag("nightly")
class NodeStoresIT extends MarkedRuns {
  private static final String DATA = "data";
  private static final RunOptions OPTIONS =
      RunOptions.DEFAULT
          .withRerun("none")
          .withKeep(RetentionPolicy.NONE)
          .with(IntermediateStore.NODE);

  NodeStoresIT() {
    super("node-stores");
  }

  @BeforeEach
  void putInputs() throws Exception {
    runs.put(DATA, ShellWorkflow.inputs());
  }

  private void assertNoneInHdfs(String... directories) throws Exception {
    for (String directory : directories) {
      assertThat(runs.files().fs().exists(new Path(runs.path(DATA, directory))))
          .as(directory)
          .isFalse();
    }
  }

  private static RunRecord succeeded(LiveRun run) throws Exception {
    RunRecord record = run.end();
    assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
    return record;
  }

  /** The result of {@link ShellWorkflow#deep}: its chains double the inputs, and turn z into y. */
  private void assertResult() throws Exception {
    String[] sums =
        runs.text(DATA, "final.txt")
            .lines()
            .map(line -> line.split(" ", 2)[0])
            .toArray(String[]::new);
    assertThat(sums).hasSize(ShellWorkflow.WIDTH);
    for (int i = 0; i < sums.length; i++) {
      byte[] read = Objects.requireNonNull(ShellWorkflow.inputs().get("in/i" + i + ".dat"));
      byte[] input =
          new String(read, StandardCharsets.UTF_8)
              .replace('z', 'y')
              .getBytes(StandardCharsets.UTF_8);
      var sum = MessageDigest.getInstance("SHA-256");
      sum.update(input);
      sum.update(input);
      sum.update("go\n".getBytes(StandardCharsets.UTF_8));
      assertThat(sums[i]).isEqualTo(HexFormat.of().formatHex(sum.digest()));
    }
  }

  @Test
  void hdfsNeverHasThem() throws Exception {
    Workflow workflow = ShellWorkflow.deep(marks);
    try (LiveRun run = runs.start(workflow, Mode.WEIR, DATA, 2, OPTIONS)) {
      marks.open("gen");
      marks.awaitBegun("hold", 1);
      assertNoneInHdfs("raw", "mid", "fin");
      marks.open("hold");
      RunRecord record = succeeded(run);

      assertThat(record.tasks()).hasSize(workflow.tasks().size());
      assertNoneInHdfs("raw", "mid", "fin", "sum", "go.txt");
      assertResult();
    }
    try (LiveRun again = runs.start(workflow, Mode.WEIR, DATA, 2, OPTIONS)) {
      assertThat(ran(succeeded(again))).as("the result is reused").isEmpty();
    }
  }

  @Test
  void filesOfALostNodeAreMadeAgain() throws Exception {
    marks.open("gen");
    try (LiveRun run =
        runs.start(ShellWorkflow.deep(marks), Mode.WEIR, DATA, ShellWorkflow.WIDTH, OPTIONS)) {
      marks.awaitBegun("hold", 1);
      Set<String> busy = busyNodes(run);
      String node =
          cluster.nodes().stream()
              .map(of -> of.name())
              .filter(name -> !busy.contains(name))
              .findFirst()
              .orElseThrow();
      cluster.stopNode(node);
      try {
        marks.open("hold");
        succeeded(run);
        assertResult();
      } finally {
        cluster.startNode(node);
      }
    }
  }

  @Test
  void filesOfAKilledWorkerAreReadOrMadeAgain() throws Exception {
    marks.open("gen");
    try (LiveRun run =
        runs.start(ShellWorkflow.deep(marks), Mode.WEIR, DATA, ShellWorkflow.WIDTH, OPTIONS)) {
      marks.awaitBegun("hold", 1);
      long hold = marks.begun("hold").get(0).pid();
      ProcessHandle busy = Processes.ancestor(hold, Processes.WORKER);
      workers(run)
          .filter(worker -> worker.pid() != busy.pid())
          .limit(2)
          .toList()
          .forEach(ProcessHandle::destroyForcibly);

      marks.open("hold");
      succeeded(run);
      assertResult();
    }
  }

  private static Stream<ProcessHandle> workers(LiveRun run) {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().command().orElse("").endsWith("/java"))
        .filter(process -> Processes.commandLine(process).contains(Processes.WORKER))
        .filter(process -> Processes.commandLine(process).contains(run.id()));
  }

  @Test
  void aSecondApplicationMasterKnowsThem() throws Exception {
    marks.open("gen");
    try (LiveRun run = runs.start(ShellWorkflow.deep(marks), Mode.WEIR, DATA, 2, OPTIONS)) {
      marks.awaitBegun("hold", 1);

      Processes.containing(Processes.MASTER, run.id()).destroyForcibly();

      marks.open("hold");
      RunRecord record = succeeded(run);
      for (String task : List.of("gen", "mid", "fin")) {
        assertThat(marks.begun(task)).as(task).hasSize(ShellWorkflow.WIDTH);
      }
      assertThat(record.tasks())
          .filteredOn(attempt -> attempt.outcome() == Outcome.SUCCEEDED)
          .hasSize(ShellWorkflow.deep(marks).tasks().size());
      assertNoneInHdfs("raw", "mid", "fin");
      assertResult();
    }
  }

  private boolean isInHdfs(String file) {
    try {
      return runs.files().fs().exists(new Path(runs.path(DATA, file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean areInHdfs(String prefix) {
    return IntStream.range(0, ShellWorkflow.WIDTH).allMatch(i -> isInHdfs(prefix + i + ".dat"));
  }

  /** The files that the run keeps are copied to HDFS while it goes on. */
  @Test
  void theNextRunUsesWhatAKilledApplicationHasMade() throws Exception {
    Workflow workflow = ShellWorkflow.deep(marks);
    RunOptions keeping = RunOptions.DEFAULT.with(IntermediateStore.NODE);
    marks.open("gen");
    try (LiveRun run = runs.start(workflow, Mode.WEIR, DATA, 2, keeping)) {
      marks.awaitBegun("hold", 1);
      await("copies of files of " + run.id())
          .atMost(Duration.ofMinutes(1))
          .until(() -> areInHdfs("raw/r") && areInHdfs("mid/m") && areInHdfs("fin/f"));
    }
    marks.open("hold");
    try (LiveRun again = runs.start(workflow, Mode.WEIR, DATA, 2, keeping)) {
      RunRecord record = succeeded(again);
      assertThat(ran(record)).as("the tasks that were done").doesNotContain("gen", "mid", "fin");
    }
    assertThat(areInHdfs("raw/r")).isTrue();
    assertResult();
  }
}
