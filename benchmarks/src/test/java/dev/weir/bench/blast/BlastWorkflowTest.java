package dev.weir.bench.blast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.cluster.plan.ProgramLookup;
import dev.weir.montage.SequentialRun;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
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

    Workflow workflow = BlastWorkflow.of(directory, 3);

    assertThat(workflow.tasks()).hasSize(3);
    Task last = workflow.tasks().get(2);
    assertThat(last.inputs()).containsExactly("nt.nhr", "nt.nin", "nt.nsq", "queries-02.fasta");
    assertThat(last.outputs()).containsExactly("hits-02.tsv");
    assertThat(workflow.graph().file("nt.nsq").sizeBytes()).isEqualTo(DATABASE_BYTES);
  }

  /** Uses the real programs if they are installed. */
  @Test
  void queriesFindTheirRelatives() throws IOException, InterruptedException {
    assumeTrue(
        ProgramLookup.missing(BlastPrograms.NAMES).isEmpty(),
        "BLAST+ is not on the PATH: " + BlastPrograms.INSTALL);
    BlastWorkflow.makeInputs(new NucleotideSpec(5_000_000, 40, 7), 2, directory);

    new SequentialRun(
            directory,
            directory.resolve("sandboxes"),
            Map.of("PATH", System.getenv().getOrDefault("PATH", "")))
        .run(BlastWorkflow.of(directory, 2), task -> {});

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
