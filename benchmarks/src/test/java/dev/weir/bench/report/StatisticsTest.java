package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.bench.series.CountedTasks;
import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RunSteps;
import dev.weir.bench.series.SampleRuns;
import dev.weir.bench.series.Setup;
import dev.weir.bench.workload.WorkerWarmUp;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The statistics that figures are based on. */
class StatisticsTest {
  @Test
  void pIsThatOfWelchsTest() {
    // By hand: t = 2.0357 with 15.498 degrees of freedom, integrated.
    TimingStatistics a =
        new TimingStatistics(List.of(27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6));
    TimingStatistics b =
        new TimingStatistics(List.of(27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2));
    assertThat(a.pValue(b)).isCloseTo(0.05925, within(1e-5));
    assertThat(b.pValue(a)).isEqualTo(a.pValue(b));
    assertThat(new TimingStatistics(List.of(1.0)).pValue(b)).isNaN();
  }

  @Test
  void setupsAreInTheOrderOfTablesHoweverTheyRan() {
    SeriesSamples series =
        SeriesSamples.of(
            List.of(
                SampleRuns.of(new PlannedRun("g", "weir", 2), 3),
                SampleRuns.of(new PlannedRun("g", "dispatch-r1", 1), 3),
                SampleRuns.of(new PlannedRun("g", "stock-r1", 1), 8),
                SampleRuns.of(new PlannedRun("g", "weir", 1), 2),
                SampleRuns.of(new PlannedRun("g", "stock-r3", 1), 3)),
            Set.of());

    assertThat(series.bySetup().keySet())
        .extracting(Setup::label)
        .containsExactly("stock-r3", "stock-r1", "dispatch-r1", "weir");
    assertThat(series.of(Setup.WEIR)).extracting(Sample::repeat).containsExactly(1, 2);
    Sample sample = series.of(Setup.WEIR).get(0);
    assertThat(sample.seconds()).isEqualTo(2);
    assertThat(sample.overhead()).isEqualTo(1 + 2 + (2 + 3) + 4 + 5 + 6 - 2);
  }

  @Test
  void whatWorkersWarmUpWithIsNotInTheShareThatWasReadLocally() {
    // As much was read to warm up, all of it remote, as by the task that counts.
    RunRecord run = SampleRuns.record(2, List.of(SampleRuns.worker("n1", 3)));
    TaskRecord work = run.tasks().get(1);
    assertThat(run.tasks().get(0).type()).isEqualTo(WorkerWarmUp.TYPE);

    CountedTasks counted = CountedTasks.of(run);
    assertThat(counted.attempts()).containsExactly(work);
    assertThat(counted.begin()).isEqualTo(SampleRuns.BEGIN);
    assertThat(counted.localShare()).isEqualTo(0.25);
    assertThat(new CountedTasks(List.of()).localShare()).as("nothing was read").isEqualTo(1);
  }

  @Test
  void mediansAreToldOfWhatRunsTakeBesideTheirTasks() {
    List<RunOverhead> runs =
        List.of(
            new RunOverhead(new RunSteps(1, 0, 12, 0, 0, 0), 4),
            new RunOverhead(new RunSteps(2, 0, 13, 0, 0, 0), 4),
            new RunOverhead(new RunSteps(2, 120, 14, 0, 0, 0), 4));

    assertThat(RunOverhead.median(runs)).isEqualTo(11);
    assertThat(RunOverheadTable.of(Map.of("weir", runs), Map.of()))
        .contains("| weir | 3 | 11.0 | 2.0 | 0.0 | 9.0 | 0.0 | 0.0 | 0.0 | 0 | 0 | 0 | 0 |\n");
    assertThat(RunOverhead.median(List.of())).isZero();
  }

  @Test
  void whatRunsTakeBesideTheirTasksIsToldBySetupAndSoIsWhatFailed() {
    Map<String, List<RunOverhead>> runs = new LinkedHashMap<>();
    runs.put("stock-r3", List.of(new RunOverhead(new RunSteps(0, 0, 9, 1, 0, 0), 5)));
    runs.put("weir", List.of(new RunOverhead(new RunSteps(0, 0, 6, 30, 0, 0), 2)));

    String table =
        RunOverheadTable.of(
            runs,
            Map.of(
                "weir", new FailureCounts(1, 3, 2, 1), "stock-r1", new FailureCounts(2, 0, 0, 0)));

    assertThat(table.lines().skip(2))
        .containsExactly(
            "| stock-r3 | 1 | 5.0 | 0.0 | 0.0 | 4.0 | 1.0 | 0.0 | 0.0 | 0 | 0 | 0 | 0 |",
            "| weir | 1 | 34.0 | 0.0 | 0.0 | 4.0 | 30.0 | 0.0 | 0.0 | 1 | 3 | 2 | 1 |",
            "| stock-r1 | 0 | – | – | – | – | – | – | – | 2 | 0 | 0 | 0 |");
  }

  @Test
  void whatARunTakesBesideItsTasksIsOfTheRunHoweverManyRepetitionsItHas() {
    RecordedRun run = SampleRuns.inARow(new PlannedRun("g", "weir", 1), List.of(1.0, 3.0));
    List<RunOverhead> beside = SeriesSamples.of(List.of(run), Set.of()).overheads(Setup.WEIR);

    assertThat(beside).hasSize(1);
    assertThat(RunOverhead.medianSettle(beside)).isEqualTo(run.notes().steps().settle());
    assertThat(beside.get(0).tasks()).isEqualTo(4);
  }

  @Test
  void chanceGoesByTheMeansOfRuns() {
    // Two runs each, three repetitions in a row on the same workers.
    List<Integer> runs = List.of(1, 1, 1, 2, 2, 2);
    TimingStatistics a = new TimingStatistics(List.of(1.0, 1.1, 1.2, 2.0, 2.1, 2.2), runs);
    TimingStatistics b = new TimingStatistics(List.of(3.0, 3.1, 3.2, 4.0, 4.1, 4.2), runs);

    assertThat(a.mean()).isCloseTo(1.6, within(1e-9));
    assertThat(a.deviation()).as("of 1.1 and 2.1").isCloseTo(Math.sqrt(0.5), within(1e-9));
    assertThat(a.deviationWithin()).isCloseTo(0.1, within(1e-9));
    double p =
        new TimingStatistics(List.of(1.1, 2.1)).pValue(new TimingStatistics(List.of(3.1, 4.1)));
    assertThat(a.pValue(b)).isCloseTo(p, within(1e-9)).isGreaterThan(0.05);
    assertThat(new TimingStatistics(a.seconds()).pValue(new TimingStatistics(b.seconds())))
        .as("what repetitions that were trials of their own would make of it")
        .isLessThan(0.001);
  }

  @Test
  void noChanceIsToldAsNone() {
    TimingStatistics near = new TimingStatistics(List.of(1.0, 1.001, 1.002));
    TimingStatistics far = new TimingStatistics(List.of(3.0, 3.001, 3.002));
    TimingStatistics nearer = new TimingStatistics(List.of(1.001, 1.002, 1.003));

    assertThat(new TimingComparison(far, near).text()).isEqualTo("3.00 (p < 0.001)");
    assertThat(TimingStatistics.p(far.pValue(near))).isEqualTo("< 0.001");
    assertThat(new TimingComparison(nearer, near).text()).isEqualTo("1.00 (p = 0.288)");
    assertThat(TimingStatistics.p(0.000499)).isEqualTo("< 0.001");
    assertThat(TimingStatistics.p(0.0006)).isEqualTo("0.001");
  }

  @Test
  void aRunOfManyRepetitionsIsOneRun() {
    TimingStatistics one = new TimingStatistics(List.of(1.0, 1.1, 1.2), List.of(1, 1, 1));
    TimingStatistics two = new TimingStatistics(List.of(3.0, 3.1));

    assertThat(one.pValue(two)).isNaN();
    assertThat(new TimingComparison(two, one).text()).isEqualTo("2.77 (p needs 2 runs)");
    assertThat(two.deviationWithin()).isNaN();
    assertThat(
            new TimingStatistics(List.of(2.0, 2.0)).pValue(new TimingStatistics(List.of(2.0, 2.0))))
        .isOne();
    assertThatThrownBy(() -> new TimingStatistics(List.of(1.0), List.of()))
        .hasMessageContaining("1 repetitions");
  }

  @Test
  void attemptsThatWereNotTheOnlyOneAreCounted() {
    List<TaskRecord> attempts =
        List.of(
            SampleRuns.attempt("a", 1, Outcome.FAILED, 0, 1),
            SampleRuns.attempt("a", 2, Outcome.LOST, 1, 1),
            SampleRuns.attempt("a", 3, Outcome.SUCCEEDED, 2, 1),
            SampleRuns.attempt("b", 1, Outcome.CANCELLED, 0, 9),
            SampleRuns.attempt("b", 2, Outcome.SUCCEEDED, 5, 1));

    assertThat(FailureCounts.of(attempts)).isEqualTo(new FailureCounts(0, 3, 2, 1));
  }
}
