package dev.weir.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.bench.comparison.Subject.Check;
import dev.weir.bench.comparison.Subject.Programs;
import dev.weir.bench.series.WrongResultException;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultCheckerTest {
  private static final Workflow WORKFLOW =
      new Workflow(
          "w",
          List.of(new Task("t", "t", List.of(), List.of("d/in"), List.of("out"), 0)),
          Map.of("d/in", new DataFile("d/in", 1_000_000), "out", new DataFile("out", 3)));

  @TempDir Path directory;

  @Test
  void keepsTheFirstResultsAndDeletesEqualOnes() throws IOException {
    ResultChecker checker = checker();

    write(checker, "stock-1", "abc");
    checker.check("stock-1");
    write(checker, "weir-1", "abc");
    checker.check("weir-1");

    assertThat(directory.resolve("results/out")).hasContent("abc");
    assertThat(checker.of("stock-1")).doesNotExist();
    assertThat(checker.of("weir-1")).doesNotExist();
  }

  @Test
  void differentResultIsRefusedAndKept() throws IOException {
    ResultChecker checker = checker();
    write(checker, "stock-1", "abc");
    checker.check("stock-1");
    write(checker, "weir-1", "abX");

    assertThatThrownBy(() -> checker.check("weir-1"))
        .isInstanceOf(WrongResultException.class)
        .hasMessageContaining(checker.of("weir-1").resolve("out").toString())
        .hasMessageContaining("stock-1")
        .hasMessageContaining("byte 2");
    assertThat(checker.of("weir-1").resolve("out")).hasContent("abX");
  }

  @Test
  void resumedSeriesComparesWithKeptResults() throws IOException {
    ResultChecker firstSession = checker();
    write(firstSession, "stock-1", "abc");
    firstSession.check("stock-1");

    ResultChecker resumedSession = checker(true);
    write(resumedSession, "weir-1", "abX");
    assertThatThrownBy(() -> resumedSession.check("weir-1"))
        .hasMessageContaining("an earlier session");

    ResultChecker newSeries = checker(false);
    write(newSeries, "weir-1", "abX");
    newSeries.check("weir-1");
    assertThat(directory.resolve("results/out")).hasContent("abX");
  }

  @Test
  void hdfsPlacesInputsOfSeveralBlocks() throws IOException {
    Subject.makeInputs(WORKFLOW, directory);
    assertThat(InputPlacement.of(subject(1_000_000)))
        .isEqualTo(new InputPlacement(List.of("d/in"), List.of()));
    assertThat(InputPlacement.of(subject(999_936)))
        .isEqualTo(new InputPlacement(List.of(), List.of("d/in")));
    assertThat(InputPlacement.of(subject(999_936).withheld()))
        .isEqualTo(new InputPlacement(List.of(), List.of("d/in")));
  }

  @Test
  void blocksAreScaledToWholeChecksums() {
    assertThat(BlockSize.scaled(1)).isEqualTo(128 << 20);
    assertThat(BlockSize.scaled(0.1)).isEqualTo(13_421_568).isEqualTo(26_214 * 512);
    assertThat(BlockSize.scaled(1e-9)).isEqualTo(512);
  }

  @Test
  void packetsAreScaledWithBlocksDownToAMinimum() {
    assertThat(BlockSize.packet(BlockSize.DEFAULT)).isEqualTo(64 << 10);
    assertThat(BlockSize.packet(BlockSize.DEFAULT / 8)).isEqualTo(8 << 10);
    assertThat(BlockSize.packet(BlockSize.scaled(0.01))).isEqualTo(4 << 10);
    assertThat(BlockSize.packet(2 * BlockSize.DEFAULT)).as("HDFS's own").isEqualTo(64 << 10);
  }

  @Test
  void createsInputsOfTheDeclaredSizes() throws IOException {
    Subject.makeInputs(WORKFLOW, directory);

    assertThat(directory.resolve("d/in")).hasSize(1_000_000);
    assertThat(directory.resolve("out")).doesNotExist();
  }

  private ResultChecker checker() {
    return checker(false);
  }

  private ResultChecker checker(boolean resumed) {
    return new ResultChecker(subject(BlockSize.DEFAULT), directory, resumed);
  }

  private Subject subject(long blockBytes) {
    return new Subject(
        "s",
        "",
        WORKFLOW,
        Programs.STAND_INS,
        new Subject.Inputs(directory, blockBytes),
        new Subject.Results(List.of("out"), Check.BYTES));
  }

  private static void write(ResultChecker checker, String label, String content)
      throws IOException {
    Files.createDirectories(checker.of(label));
    Files.writeString(checker.of(label).resolve("out"), content);
  }
}
