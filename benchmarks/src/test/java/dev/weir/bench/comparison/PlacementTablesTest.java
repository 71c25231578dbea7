package dev.weir.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.SampleRuns;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacementTablesTest {
  /** Their only task is on one of two nodes and reads from another one. */
  private static final Map<String, List<RecordedRun>> RUNS =
      Map.of(
          "chain",
          List.of(
              SampleRuns.of(new PlannedRun("chain", "weir", 1), 5),
              SampleRuns.of(new PlannedRun("chain", "stock-r3", 1), 5)));

  @Test
  void markdownHasARowPerSubjectAndAColumnPerSetup() {
    assertThat(PlacementTables.markdown(RUNS))
        .contains("stored ÷ made, transfers | stock-r3 | weir |\n|---|---|---|\n")
        .contains("| chain | 0 %, 0 %, 0.00, 0.50, 0.00, 0 | 0 %, 0 %, 0.00, 0.50, 0.00, 0 |\n");
  }

  @Test
  void csvHasALinePerRun() {
    assertThat(PlacementTables.csv(RUNS).lines())
        .containsExactly(
            "subject,setup,repeat,tasks_without_copy,useless_copies,stored_gini,busy_gini,"
                + "stored_per_made,transfers",
            "chain,stock-r3,1,0.0000,0.0000,0.0000,0.5000,0.0000,0",
            "chain,weir,1,0.0000,0.0000,0.0000,0.5000,0.0000,0");
  }
}
