package dev.weir.bench.patterns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.weir.bench.series.Setup;
import dev.weir.bench.workload.WorkerWarmUp;
import dev.weir.hints.HintText;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.infer.HintInference;
import dev.weir.workflow.infer.InferredHint;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PatternWorkflowTest {
  private static final int NODES = 4;

  @TempDir private Path scratch;

  private static Experiment experiment(Pattern pattern, PatternVariant variant) {
    return new Experiment(pattern, PatternSize.SMALL, variant, 0.1, NODES, 12.5e6);
  }

  private static Workflow workflow(Pattern pattern, Setup setup, String server) {
    return new PatternWorkflow(experiment(pattern, PatternVariant.PLAIN), setup, server).workflow();
  }

  /** The commands check what they read, so it suffices that all of them succeed. */
  @ParameterizedTest
  @EnumSource
  void theCommandsOfAPatternFitTogether(Pattern pattern) throws IOException {
    for (Setup setup : List.of(Setup.WEIR, Setup.STOCK_R1)) {
      assertThat(new LocalRun(NODES, scratch).seconds(workflow(pattern, setup, ""))).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource
  void repetitionsInARowHaveFilesOfTheirOwn(Pattern pattern) throws IOException {
    for (Setup setup : List.of(Setup.WEIR, Setup.STOCK_R1)) {
      Experiment experiment = experiment(pattern, PatternVariant.PLAIN).inARow(2);
      Workflow row = PatternWorkflow.ofRun(experiment, setup, "", 0);
      Workflow one = workflow(pattern, setup, "");
      assertThat(row.files()).hasSize(2 * one.files().size());
      assertThat(row.tasks()).hasSize(2 * one.tasks().size() + 2);
    }
    Workflow twice =
        PatternWorkflow.ofRun(
            experiment(pattern, PatternVariant.PLAIN).inARow(2), Setup.WEIR, "", 0);
    assertThat(new LocalRun(NODES, scratch).seconds(twice)).isPositive();
  }

  @ParameterizedTest
  @EnumSource(names = {"BROADCAST", "SCATTER"})
  void aSlowWriterWritesTheSameBytes(Pattern pattern) throws IOException {
    Workflow workflow =
        new PatternWorkflow(experiment(pattern, PatternVariant.SLOW_WRITER), Setup.WEIR, "")
            .workflow();
    assertThat(new LocalRun(NODES, scratch).seconds(workflow)).isPositive();
    assertThat(script(workflow.tasks().get(0))).contains("; sleep 0.");
  }

  @Test
  void withConcatNoTaskReadsPartsToJoinThem() throws IOException {
    Experiment concat = experiment(Pattern.GATHER, PatternVariant.CONCAT);
    Workflow stock = new PatternWorkflow(concat, Setup.STOCK_R1, "").workflow();

    assertThat(stock).isEqualTo(workflow(Pattern.GATHER, Setup.WEIR, ""));
    assertThat(stock.tasks()).filteredOn(Task::joinsRegions).hasSize(1);
    assertThat(workflow(Pattern.GATHER, Setup.STOCK_R1, "").tasks()).noneMatch(Task::joinsRegions);
    assertThat(new LocalRun(NODES, scratch).seconds(stock)).isPositive();
    assertThat(LowerBound.of(concat, 12.5e6, 0.5)).isEqualTo(new LowerBound(0, 0.5, false));
    assertThat(PatternVariant.CONCAT.suits(Pattern.REDUCE)).isFalse();
  }

  @Test
  void aReaderOfWrongBytesFails() {
    Workflow workflow = workflow(Pattern.REUSE, Setup.WEIR, "");
    Task producer = workflow.tasks().get(0);
    Task wrong =
        new Task(
            "wrong",
            "produce",
            List.of("sh", "-c", "head -c 10000 /dev/zero > shared"),
            producer.inputs(),
            producer.outputs(),
            0);
    List<Task> tasks = new ArrayList<>(workflow.tasks());
    tasks.set(0, wrong);
    Workflow changed = new Workflow("changed", tasks, workflow.files());
    assertThatIOException()
        .isThrownBy(() -> new LocalRun(NODES, scratch).seconds(changed))
        .withMessageContaining("read-0 ended with exit code 1");
  }

  /** Its readers come one after another, so one replica, with its writer, serves all of them. */
  @Test
  void reuseIsInferredAsReuse() {
    List<InferredHint> hints =
        HintInference.infer(
            workflow(Pattern.REUSE, Setup.WEIR, ""), "/d", new ClusterShape(NODES, 3));
    assertThat(hints)
        .filteredOn(hint -> hint.rule().pattern().matches("/d/shared"))
        .singleElement()
        .satisfies(
            hint -> {
              assertThat(hint.reason()).startsWith("reuse: 10.0 readers each (read)");
              assertThat(hint.rule().hint()).isEqualTo(HintText.parse("pipeline,temporary"));
            });
  }

  @Test
  void withWavesThereAreFourTimesAsManyTasks() {
    Workflow workflow =
        new PatternWorkflow(experiment(Pattern.REDUCE, PatternVariant.WAVES), Setup.WEIR, "")
            .workflow();
    assertThat(workflow.tasks()).hasSize(4 * NODES + 1);
    assertThat(workflow.tasks().subList(0, 4 * NODES))
        .allSatisfy(task -> assertThat(script(task)).containsPattern("\nsleep [2-6]\n"));
    assertThat(workflow.tasks())
        .as("stock Hadoop could make nothing of it")
        .allSatisfy(task -> assertThat(task.runtimeSeconds()).isZero());
  }

  @ParameterizedTest
  @EnumSource
  void stagesFollowEachOther(Pattern pattern) {
    Workflow plain = workflow(pattern, Setup.WEIR, "");
    Workflow staged = workflow(pattern, Setup.WEIR, "http://outside:8000/");
    assertThat(staged.graph().workflowInputs()).isEmpty();
    List<String> in = ofType(staged, PatternWorkflow.STAGE_IN);
    assertThat(in).hasSameSizeAs(plain.graph().workflowInputs());
    for (Task task : staged.tasks()) {
      List<String> parents = staged.graph().parents(task.id()).stream().map(Task::id).toList();
      if (task.type().equals(PatternWorkflow.STAGE_OUT)) {
        assertThat(parents)
            .containsAll(
                plain.tasks().stream().filter(one -> !one.joinsRegions()).map(Task::id).toList());
      } else if (!task.type().equals(PatternWorkflow.STAGE_IN) && !task.joinsRegions()) {
        assertThat(parents).as(task.id()).isNotEmpty();
      }
    }
    assertThat(ofType(staged, PatternWorkflow.STAGE_OUT))
        .hasSizeGreaterThanOrEqualTo(plain.graph().finalOutputs().size());
  }

  @ParameterizedTest
  @EnumSource
  void eachWorkerStoresAndReadsAFileBeforeAnythingElse(Pattern pattern) throws IOException {
    for (String server : List.of("", "http://outside:8000/")) {
      Workflow plain = workflow(pattern, Setup.STOCK_R1, server);
      Workflow warmed =
          PatternWorkflow.warmed(experiment(pattern, PatternVariant.PLAIN), Setup.STOCK_R1, server);
      assertThat(ofType(warmed, WorkerWarmUp.TYPE)).hasSize(2 * NODES + 1);
      assertThat(warmed.tasks()).hasSize(plain.tasks().size() + 2 * NODES + 1);
      assertThat(warmed.graph().workflowInputs())
          .containsAll(plain.graph().workflowInputs())
          .hasSize(plain.graph().workflowInputs().size() + 1);
      for (Task task : warmed.tasks()) {
        List<String> parents = warmed.graph().parents(task.id()).stream().map(Task::id).toList();
        if (task.id().startsWith("warm-up-store")) {
          assertThat(parents).isEmpty();
        } else if (task.id().startsWith("warm-up-read") || task.id().equals("warm-up-over")) {
          assertThat(parents).as("all at once, one for each worker").hasSize(NODES);
        } else {
          assertThat(parents).as(task.id()).isNotEmpty();
        }
      }
    }
    Workflow local =
        PatternWorkflow.warmed(experiment(pattern, PatternVariant.PLAIN), Setup.STOCK_R1, "");
    assertThat(new LocalRun(NODES, scratch).seconds(local)).isPositive();
  }

  private static List<String> ofType(Workflow workflow, String type) {
    return workflow.tasks().stream()
        .filter(task -> task.type().equals(type))
        .map(Task::id)
        .toList();
  }

  @Test
  void contentIsWhatTheShellWritesAndNothingElse() throws Exception {
    Path file = scratch.resolve("x");
    String script = FileContents.print("in-1", 7, 23) + " > " + file;
    assertThat(new ProcessBuilder("sh", "-c", script).start().waitFor()).isZero();
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    FileContents.write("in-1", 30, whole);
    assertThat(Files.readString(file))
        .isEqualTo(whole.toString(StandardCharsets.UTF_8).substring(7));
    FileContents.requireWhole("in-1", 30, new ByteArrayInputStream(whole.toByteArray()));
    assertThatIOException()
        .isThrownBy(
            () ->
                FileContents.requireWhole(
                    "in-2", 30, new ByteArrayInputStream(whole.toByteArray())))
        .withMessageContaining("in-2 has wrong bytes");
    assertThatIOException()
        .isThrownBy(
            () ->
                FileContents.requireWhole(
                    "in-1", 31, new ByteArrayInputStream(whole.toByteArray())))
        .withMessageContaining("has 30 bytes instead of 31");
  }

  @Test
  void boundsAreThoseOfTheMostLoadedLink() {
    Experiment scatter =
        new Experiment(Pattern.SCATTER, PatternSize.MEDIUM, PatternVariant.PLAIN, 0.1, 19, 12.5e6);
    assertThat(scatter.region()).isEqualTo(1_000_000);
    assertThat(LowerBound.of(scatter, 12.5e6, 0.5).seconds()).isEqualTo(18e6 / 12.5e6 + 0.5);
    Experiment slow =
        new Experiment(
            Pattern.SCATTER, PatternSize.MEDIUM, PatternVariant.SLOW_WRITER, 0.1, 19, 12.5e6);
    assertThat(LowerBound.of(slow, 12.5e6, 3.1).seconds()).as("at the same time").isEqualTo(3.1);
    Experiment gather =
        new Experiment(Pattern.GATHER, PatternSize.MEDIUM, PatternVariant.PLAIN, 0.1, 19, 12.5e6);
    assertThat(LowerBound.of(gather, 12.5e6, 0.5).seconds()).isEqualTo(0.5);
    Experiment reduce = scatter.of(Pattern.REDUCE, PatternSize.MEDIUM, PatternVariant.WAVES);
    assertThat(LowerBound.of(reduce, 12.5e6, 20).seconds())
        .as("parts come meanwhile")
        .isEqualTo(20);
    Experiment broadcast = scatter.of(Pattern.BROADCAST, PatternSize.MEDIUM, PatternVariant.WAVES);
    assertThat(LowerBound.of(broadcast, 12.5e6, 20).seconds())
        .as("readers wait for the file")
        .isEqualTo(10e6 / 12.5e6 + 20);
  }

  private static String script(Task task) {
    return task.command().get(2);
  }
}
