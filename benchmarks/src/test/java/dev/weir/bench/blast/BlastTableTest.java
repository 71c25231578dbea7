package dev.weir.bench.blast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.bench.blast.BlastSample.Staging;
import dev.weir.bench.series.Runs;
import dev.weir.bench.series.Turn;
import dev.weir.bench.series.Usage;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.TaskRecord.Phases;
import dev.weir.workflow.record.TaskRecord.Traffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlastTableTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

  @TempDir Path directory;

  @Test
  void nineTenthsOfTheTasksAndAllOfThemAreCountedFromTheFirstDispatch() {
    BlastSample sample = BlastSample.of("r4", 2, new Staging(14, 1), run(20), new Usage(300, 400));

    // Task i is dispatched after i seconds and takes 10.
    assertThat(sample.most()).isCloseTo(10 + 17, within(1e-9));
    assertThat(sample.all()).isCloseTo(10 + 19, within(1e-9));
    assertThat(sample.whole()).isCloseTo(14 + 29 + 1, within(1e-9));
    assertThat(sample.localShare()).isCloseTo(0.25, within(1e-9));
    assertThat(sample.usage()).isEqualTo(new Usage(300, 400));
  }

  @Test
  void whatWasKeptIsInTheOrderOfTables() {
    Map<String, List<BlastSample>> samples =
        BlastSample.byReplicas(
            List.of(
                Runs.of(new Turn("blast", "auto", 1), 5),
                Runs.of(new Turn("blast", "r16", 2), 6),
                Runs.of(new Turn("blast", "r2", 1), 7),
                Runs.of(new Turn("blast", "r16", 1), 6),
                Runs.of(new Turn("blast", "stock-r3", 1), 9)));

    assertThat(samples.keySet()).containsExactly("stock-r3", "r2", "r16", "auto");
    assertThat(samples.get("r16")).extracting(BlastSample::repeat).containsExactly(1, 2);
    BlastSample stock = Objects.requireNonNull(samples.get("stock-r3")).get(0);
    // What Runs says of bringing inputs in, of its two tasks, and of bringing results out.
    assertThat(stock.whole()).isCloseTo(1 + (1 + 9) + 5, within(1e-9));
    for (String choice : List.of("stock", "auto", "1", "19")) {
      Replicas replicas = Replicas.parse(choice);
      assertThat(Replicas.ofLabel(replicas.label())).isEqualTo(replicas);
    }
  }

  @Test
  void theTableHasAColumnForEachNumberOfReplicas() {
    String table = BlastTable.markdown(samples(), "Two nodes.");

    assertThat(table)
        .startsWith("Two nodes.\n\n| seconds | r1 | auto |\n|---|---|---|\n")
        .contains("| stage-in | 15.00 ± 1.41 | 5.00 ± 0.00 |")
        .contains("| 90 % of the workflow | 20.00 ± 0.00 | 10.00 ± 0.00 |")
        .contains("| all together | 46.00 ± 1.41 | 18.00 ± 0.00 |")
        .contains("| read locally | 10 % | 100 % |")
        .contains("| over the network | 3 MB | 0 MB |")
        .contains("| in HDFS at most | 9 MB | 8 MB |");
  }

  @Test
  void everyRunIsALineOfTheCsv() {
    assertThat(BlastTable.csv(samples()).lines())
        .containsExactly(
            "replicas,repeat,stage_in,workflow_90,workflow_100,stage_out,local_share,network_bytes,"
                + "peak_storage_bytes",
            "r1,1,14.000,20.000,30.000,1.000,0.1000,3000000,9000000",
            "r1,2,16.000,20.000,30.000,1.000,0.1000,3000000,9000000",
            "auto,1,5.000,10.000,12.000,1.000,1.0000,0,8000000");
  }

  @Test
  void thePageHoldsTheSame() throws IOException {
    Path html = directory.resolve("page.html");
    BlastPage.write(samples(), "Two nodes.", html);

    assertThat(BlastPage.json(samples(), "").path("columns").path(1).path("parts")).hasSize(5);
    assertThat(Files.readString(html)).contains("Two nodes.").doesNotContain("@@");
  }

  private static Map<String, List<BlastSample>> samples() {
    Map<String, List<BlastSample>> samples = new LinkedHashMap<>();
    samples.put(
        "r1",
        List.of(
            new BlastSample("r1", 1, 14, 20, 30, 1, 0.1, new Usage(3_000_000, 9_000_000)),
            new BlastSample("r1", 2, 16, 20, 30, 1, 0.1, new Usage(3_000_000, 9_000_000))));
    samples.put(
        "auto", List.of(new BlastSample("auto", 1, 5, 10, 12, 1, 1, new Usage(0, 8_000_000))));
    return samples;
  }

  private static RunRecord run(int tasks) {
    List<TaskRecord> records = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      records.add(
          new TaskRecord(
              "t" + i,
              "blastn",
              1,
              "w",
              "n1",
              Outcome.SUCCEEDED,
              0,
              START,
              START.plusSeconds(i),
              new Phases(
                  Duration.ZERO, Duration.ofSeconds(4), Duration.ofSeconds(6), Duration.ZERO),
              new Traffic(100, 300, 1, 1)));
    }
    return new RunRecord(
        "r", "blast", "weir", RunState.SUCCEEDED, START, START.plusSeconds(60), List.of(), records);
  }
}
