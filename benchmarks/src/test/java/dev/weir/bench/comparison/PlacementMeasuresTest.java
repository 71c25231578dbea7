package dev.weir.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.bench.series.SampleRuns;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.TaskRecord.Files;
import dev.weir.workflow.record.TaskRecord.Phases;
import dev.weir.workflow.record.TaskRecord.Traffic;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacementMeasuresTest {
  private static final Instant BEGIN = SampleRuns.BEGIN;

  @Test
  void giniIsZeroForEqualValuesAndGrowsToOne() {
    assertThat(PlacementMeasures.gini(List.of(5.0, 5.0, 5.0))).isZero();
    assertThat(PlacementMeasures.gini(List.of(0.0, 0.0, 0.0, 8.0))).isEqualTo(0.75);
    assertThat(PlacementMeasures.gini(List.of(1.0, 3.0))).isEqualTo(0.25);
    assertThat(PlacementMeasures.gini(List.of(3.0, 2.0, 1.0))).isCloseTo(2 / 9.0, within(1e-12));
    assertThat(PlacementMeasures.gini(List.of(0.0, 0.0))).isZero();
    assertThat(PlacementMeasures.gini(List.of())).isZero();
  }

  @Test
  void replicaThatNoTaskReadsIsUseless() {
    // The file has replicas on its writer's node, on the reader's and on a third one.
    FileRecord file = output("a", 100, Map.of("n1", 100L, "n2", 100L, "n3", 100L));
    PlacementMeasures measures =
        PlacementMeasures.of(
            run(
                "stock",
                task("write", "n1", 2, Traffic.NONE, new Files(List.of(), List.of(file))),
                task(
                    "read",
                    "n2",
                    1,
                    new Traffic(100, 0, 0, 0),
                    new Files(List.of(input("a")), List.of()))));

    assertThat(measures.withoutCopy()).isEqualTo(1);
    assertThat(measures.uselessCopies()).isEqualTo(0.5);
    assertThat(measures.storedPerMade()).isEqualTo(3);
    assertThat(measures.storedGini()).isZero();
    assertThat(measures.busyGini()).as("of 2, 1 and 0 s").isCloseTo(4 / 9.0, within(1e-12));
  }

  @Test
  void replicasOfResultsAreStoredButNoUselessCopies() {
    FileRecord result = output("a", 100, Map.of("n1", 100L, "n2", 100L));
    PlacementMeasures measures =
        PlacementMeasures.of(
            run(
                "weir",
                task("write", "n1", 1, Traffic.NONE, new Files(List.of(), List.of(result)))));

    assertThat(measures.uselessCopies()).isZero();
    assertThat(measures.storedPerMade()).isEqualTo(2);
  }

  @Test
  void remoteReadStaysInTheCacheUnlessTheSetupHasNone() {
    TaskRecord write =
        task(
            "write",
            "n1",
            1,
            Traffic.NONE,
            new Files(List.of(), List.of(output("a", 100, on("n1")))));
    TaskRecord read =
        task(
            "read",
            "n2",
            1,
            new Traffic(0, 100, 0, 0),
            new Files(
                List.of(new FileRecord("a", 100, Checksum.UNKNOWN, on("n1"), Map.of(), false)),
                List.of()));

    PlacementMeasures weir = PlacementMeasures.of(run("weir", write, read));
    assertThat(weir.withoutCopy()).isEqualTo(0.5);
    assertThat(weir.uselessCopies()).isZero();
    assertThat(weir.storedPerMade()).isEqualTo(2);
    assertThat(PlacementMeasures.of(run("stock", write, read)).storedPerMade()).isEqualTo(1);
  }

  @Test
  void serverWithoutAWorkerIsANodeThatStores() {
    PlacementMeasures measures =
        PlacementMeasures.of(
            run(
                "shared",
                task(
                    "w",
                    "n1",
                    1,
                    Traffic.NONE,
                    new Files(List.of(), List.of(output("a", 9, on("m"))))),
                task(
                    "r",
                    "n2",
                    1,
                    new Traffic(0, 9, 0, 0),
                    new Files(List.of(input("a")), List.of()))));

    assertThat(measures.uselessCopies()).isZero();
    assertThat(measures.storedGini()).isEqualTo(0.75);
  }

  private static Map<String, Long> on(String node) {
    return Map.of(node, node.equals("m") ? 9L : 100L);
  }

  private static FileRecord output(String file, long bytes, Map<String, Long> nodes) {
    return new FileRecord(file, bytes, Checksum.UNKNOWN, nodes, Map.of(), false);
  }

  private static FileRecord input(String file) {
    return new FileRecord(file, 100, Checksum.UNKNOWN);
  }

  private static TaskRecord task(
      String id, String node, int seconds, Traffic traffic, Files files) {
    return TaskRecord.builder(id, "t", 1)
        .worker("w-" + node, node)
        .outcome(Outcome.SUCCEEDED, 0)
        .times(BEGIN, BEGIN)
        .phases(
            new Phases(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(seconds), Duration.ZERO))
        .traffic(traffic)
        .files(files.inputs(), files.outputs())
        .build();
  }

  private static RunRecord run(String mode, TaskRecord... tasks) {
    return new RunRecord(
        "r",
        "w",
        mode,
        RunState.SUCCEEDED,
        BEGIN,
        BEGIN.plusSeconds(10),
        List.of(SampleRuns.worker("n1", 1), SampleRuns.worker("n2", 1), SampleRuns.worker("n3", 1)),
        List.of(tasks));
  }
}
