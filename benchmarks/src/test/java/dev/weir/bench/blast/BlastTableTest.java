package dev.weir.bench.blast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RunNotes;
import dev.weir.bench.series.RunSteps;
import dev.weir.bench.series.RunUsage;
import dev.weir.bench.series.SampleRuns;
import dev.weir.bench.workload.WorkerWarmUp;
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
  void timesAreMeasuredFromTheFirstDispatch() {
    BlastSample sample =
        BlastSample.of(
            new RecordedRun(new PlannedRun("blast", "r4", 2), run(20), notes(14, 300, 400)));

    // Task i is dispatched after i seconds and takes 10; the warm-up was long before.
    assertThat(sample.ninetyPercent()).isCloseTo(10 + 17, within(1e-9));
    assertThat(sample.all()).isCloseTo(10 + 19, within(1e-9));
    assertThat(sample.whole()).isCloseTo(14 + 29 + 1, within(1e-9));
    assertThat(sample.localShare()).isCloseTo(0.25, within(1e-9));
  }

  @Test
  void samplesAreInTheOrderOfTables() {
    Map<String, List<BlastSample>> samples =
        BlastSample.byReplicas(
            List.of(
                SampleRuns.of(new PlannedRun("blast", "auto", 1), 5),
                SampleRuns.of(new PlannedRun("blast", "r16", 2), 6),
                SampleRuns.of(new PlannedRun("blast", "r2", 1), 7),
                SampleRuns.of(new PlannedRun("blast", "r16", 1), 6),
                SampleRuns.of(new PlannedRun("blast", "stock-r3", 1), 9)));

    assertThat(samples.keySet()).containsExactly("stock-r3", "r2", "r16", "auto");
    assertThat(samples.get("r16")).extracting(BlastSample::repeat).containsExactly(1, 2);
    BlastSample stock = Objects.requireNonNull(samples.get("stock-r3")).get(0);
    // The durations in SampleRuns of the upload, of its task, and of the download.
    assertThat(stock.whole()).isCloseTo(1 + 9 + 5, within(1e-9));
    for (String choice : List.of("stock", "auto", "1", "19")) {
      ReplicaSetting replicas = ReplicaSetting.parse(choice);
      assertThat(ReplicaSetting.ofLabel(replicas.label())).isEqualTo(replicas);
    }
  }

  @Test
  void tableHasAColumnPerNumberOfReplicas() {
    String table = BlastTable.markdown(samples(), Map.of(), "Two nodes.");

    assertThat(table)
        .startsWith("Two nodes.\n\n| seconds | r1 | auto |\n|---|---|---|\n")
        .contains("| stage-in | 15.00 ± 1.41 | 5.00 |")
        .contains("| 90 % of the workflow | 20.00 ± 0.00 | 10.00 |")
        .contains("| all together | 46.00 ± 1.41 | 18.00 |")
        .contains("| runs | 2 | 1 |")
        .contains("| read locally | 10 % | 100 % |")
        .contains("| over the network | 3 MB | 0 MB |")
        .contains("| in HDFS at most | 9 MB | 8 MB |")
        .contains("| replicas |  | 4 |")
        .contains("| r1 | 2 | 35.0 | 15.0 | 2.0 | 10.0 | 3.0 | 1.0 | 4.0 | 0 | 0 | 0 | 0 |")
        .contains(
            "100 % of the workflow: auto ÷ the best number (r1) 0.40 (p needs 2 runs), within 5 %.")
        .doesNotContain("stock");
  }

  @Test
  void settingsAreComparedWithStock() {
    Map<String, List<BlastSample>> samples = new LinkedHashMap<>();
    samples.put(
        "stock-r3",
        List.of(
            new BlastSample("stock-r3", 1, 50, 59, 0.1, notes(15, 0, 0)),
            new BlastSample("stock-r3", 2, 50, 61, 0.1, notes(15, 0, 0))));
    samples.putAll(samples());

    assertThat(BlastTable.markdown(samples, Map.of("r2", new FailureCounts(1, 0, 0, 0)), ""))
        .containsPattern(
            "\\| stock-r3 ÷ it, 100 % of the workflow \\(p\\) \\|  \\|"
                + " 2\\.00 \\(0\\.0[0-9]{2}\\) \\| 5\\.00 \\(needs 2 runs\\) \\|")
        .contains("| stock-r3 ÷ it, all together (p) |")
        .contains("| r2 | 0 | – | – | – | – | – | – | – | 1 | 0 | 0 | 0 |");
    JsonNode page = BlastPage.json(samples, Map.of(), "");
    assertThat(page.path("columns").path(1).path("versus")).hasSize(2);
  }

  @Test
  void automaticChoiceIsComparedWithTheBestNumber() {
    Map<String, List<BlastSample>> samples = new LinkedHashMap<>();
    for (String label : List.of("stock-r3", "r8", "r16", "auto")) {
      double all = label.equals("stock-r3") ? 10 : label.equals("r8") ? 30 : 20;
      double more = label.equals("auto") ? 2 : 0;
      samples.put(label, List.of(new BlastSample(label, 1, 9, all + more, 1, notes(1, 0, 0))));
    }

    assertThat(AutomaticReplicas.of(samples, BlastTable.WORKFLOW).orElseThrow().text())
        .isEqualTo(
            "100 % of the workflow: auto ÷ the best number (r16) 1.10 (p needs 2 runs), not within"
                + " 5 %.");
    samples.remove("auto");
    assertThat(AutomaticReplicas.of(samples, BlastTable.WORKFLOW)).isEmpty();
  }

  @Test
  void csvHasALinePerRun() {
    assertThat(BlastTable.csv(samples()).lines())
        .containsExactly(
            "replicas,repeat,stage_in,workflow_90,workflow_100,stage_out,local_share,network_bytes,"
                + "peak_storage_bytes,session,begun,overhead_seconds,rest_seconds,"
                + "submitted_seconds,settle_seconds,clean_seconds,made_replicas",
            "r1,1,14.000,20.000,30.000,1.000,0.1000,3000000,9000000,"
                + "2,2026-11-21T12:00:00Z,34.000,2.000,40.000,3.000,4.000,0",
            "r1,2,16.000,20.000,30.000,1.000,0.1000,3000000,9000000,"
                + "2,2026-11-21T12:00:00Z,36.000,2.000,40.000,3.000,4.000,0",
            "auto,1,5.000,10.000,12.000,1.000,1.0000,0,8000000,"
                + "2,2026-11-21T12:00:00Z,43.000,2.000,40.000,3.000,4.000,4");
  }

  @Test
  void pageHasTheSameData() throws IOException {
    Path html = directory.resolve("page.html");
    BlastPage.write(samples(), Map.of(), "Two nodes.", html);

    JsonNode page = BlastPage.json(samples(), Map.of(), "");
    assertThat(page.path("columns").path(1).path("parts")).hasSize(5);
    assertThat(Files.readString(html)).contains("Two nodes.").doesNotContain("@@");
  }

  private static Map<String, List<BlastSample>> samples() {
    Map<String, List<BlastSample>> samples = new LinkedHashMap<>();
    samples.put(
        "r1",
        List.of(
            new BlastSample("r1", 1, 20, 30, 0.1, notes(14, 3_000_000, 9_000_000)),
            new BlastSample("r1", 2, 20, 30, 0.1, notes(16, 3_000_000, 9_000_000))));
    RunNotes own = notes(5, 0, 8_000_000);
    RunNotes chosen = new RunNotes(own.session(), own.begun(), own.usage(), own.steps(), 4);
    samples.put("auto", List.of(new BlastSample("auto", 1, 10, 12, 1, chosen)));
    return samples;
  }

  /** Notes with a stage-out of a second. */
  private static RunNotes notes(double stageIn, long networkBytes, long peakStorage) {
    return new RunNotes(
        2, START, new RunUsage(networkBytes, peakStorage), new RunSteps(stageIn, 2, 40, 3, 1, 4));
  }

  private static RunRecord run(int tasks) {
    List<TaskRecord> records = new ArrayList<>();
    records.add(task(WorkerWarmUp.TYPE, "w", START.minusSeconds(20), new Traffic(100, 0, 1, 1)));
    for (int i = 0; i < tasks; i++) {
      records.add(task("blastn", "t" + i, START.plusSeconds(i), new Traffic(100, 300, 1, 1)));
    }
    return new RunRecord(
        "r", "blast", "weir", RunState.SUCCEEDED, START, START.plusSeconds(60), List.of(), records);
  }

  private static TaskRecord task(String type, String id, Instant dispatched, Traffic traffic) {
    return TaskRecord.builder(id, type, 1)
        .worker("w", "n1")
        .outcome(Outcome.SUCCEEDED, 0)
        .times(dispatched, dispatched)
        .phases(
            new Phases(Duration.ZERO, Duration.ofSeconds(4), Duration.ofSeconds(6), Duration.ZERO))
        .traffic(traffic)
        .build();
  }
}
