package dev.weir.bench.blast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.bench.series.WrongResultException;
import dev.weir.montage.SequentialRun;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.infer.HintInference;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.staging.Mode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlastWorkflowTest {
  private static final long DATABASE_BYTES = 30_000_000;

  @TempDir Path directory;

  @Test
  void everyProcessReadsTheDatabaseAndItsQueries() throws IOException {
    fakeInputs(3);

    Workflow workflow = BlastWorkflow.of(directory, 3, "broadcast=4");

    assertThat(workflow.tasks()).hasSize(3);
    Task last = workflow.tasks().get(2);
    assertThat(last.inputs()).containsExactly("nt.nhr", "nt.nin", "nt.nsq", "queries-02.fasta");
    assertThat(last.outputs()).containsExactly("hits-02.tsv");
    assertThat(workflow.graph().file("nt.nsq").hint()).isEqualTo("broadcast=4");
    assertThat(workflow.graph().file("queries-00.fasta").hint()).isEmpty();
    assertThat(workflow.graph().file("nt.nsq").sizeBytes()).isEqualTo(DATABASE_BYTES);
  }

  @Test
  void givenReplicasOverrideInferredOnes() throws IOException {
    fakeInputs(19);

    assertThat(replicas(BlastWorkflow.of(directory, 19, "broadcast=4"))).isEqualTo(4);
    assertThat(replicas(BlastWorkflow.of(directory, 19, ""))).isEqualTo(19);
  }

  private static int replicas(Workflow workflow) {
    return HintInference.infer(workflow, "/d", new ClusterShape(19, 3)).stream()
        .filter(hint -> hint.rule().pattern().matches("/d/nt.nsq"))
        .findFirst()
        .orElseThrow()
        .rule()
        .hint()
        .replication()
        .orElseThrow()
        .target();
  }

  @Test
  void parsesReplicas() {
    assertThat(ReplicaSetting.parse("8"))
        .isEqualTo(new ReplicaSetting("r8", Mode.WEIR, 3, "broadcast=8"));
    assertThat(ReplicaSetting.parse("auto").hint()).isEmpty();
    assertThat(ReplicaSetting.parse("stock").hinted()).isFalse();
    assertThatThrownBy(() -> ReplicaSetting.parse("0")).hasMessageContaining("'0'");
  }

  @Test
  void settingsRequireNodes() {
    assertThat(ReplicaSetting.parse("16").nodes()).isEqualTo(16);
    assertThat(ReplicaSetting.parse("1").nodes()).as("hits have three replicas").isEqualTo(3);
    assertThat(ReplicaSetting.parse("auto").nodes()).isEqualTo(3);
    assertThat(ReplicaSetting.parse("stock").nodes()).isEqualTo(3);
  }

  @Test
  void resultsMustEqualThoseOfASequentialRun() throws IOException {
    BlastInputs inputs = BlastInputs.below(directory);
    Path results = Files.createDirectories(directory.resolve("results"));
    Files.createDirectories(inputs.reference());
    for (int i = 0; i < 2; i++) {
      Files.writeString(inputs.reference().resolve(BlastWorkflow.hits(i)), "hit " + i);
      Files.writeString(results.resolve(BlastWorkflow.hits(i)), "hit " + i);
    }
    inputs.requireSame(results, 2);

    Files.writeString(results.resolve(BlastWorkflow.hits(1)), "hit 7");
    assertThatThrownBy(() -> inputs.requireSame(results, 2))
        .isInstanceOf(WrongResultException.class)
        .hasMessageContaining("hits-01.tsv")
        .hasMessageContaining("byte 4");
  }

  /** Uses the real programs if they are installed. */
  @Test
  void queriesFindTheirRelatives() throws IOException, InterruptedException {
    assumeTrue(
        BlastPrograms.missing(System.getenv()).isEmpty(),
        "BLAST+ is not on the PATH: " + BlastPrograms.INSTALL);
    BlastWorkflow.makeInputs(new NucleotideSpec(5_000_000, 40, 7), 2, directory);

    new SequentialRun(
            directory,
            directory.resolve("sandboxes"),
            Map.of("PATH", System.getenv().getOrDefault("PATH", "")))
        .run(BlastWorkflow.of(directory, 2, ""), task -> {});

    assertThat(directory.resolve("hits-00.tsv")).isNotEmptyFile();
    assertThat(directory.resolve("hits-01.tsv")).isNotEmptyFile();
  }

  private void fakeInputs(int processes) throws IOException {
    for (String id : BlastWorkflow.databaseFiles()) {
      try (RandomAccessFile file = new RandomAccessFile(directory.resolve(id).toFile(), "rw")) {
        file.setLength(DATABASE_BYTES);
      }
    }
    for (int i = 0; i < processes; i++) {
      Files.writeString(directory.resolve(BlastWorkflow.queries(i)), ">q");
    }
  }
}
