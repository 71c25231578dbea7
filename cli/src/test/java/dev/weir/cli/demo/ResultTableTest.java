package dev.weir.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.record.TaskRecord.Traffic;
import dev.weir.workflow.staging.Mode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultTableTest {

  @TempDir private Path directory;

  @Test
  void eachModeHasARow() throws Exception {
    ModeResult stock =
        new ModeResult(
            Mode.STOCK,
            Results.run(Mode.STOCK, new Traffic(30_000_000, 10_000_000, 0, 5_550_000)),
            Results.comparison(directory, 7, 8));
    ModeResult weir =
        new ModeResult(
            Mode.WEIR,
            Results.run(Mode.WEIR, new Traffic(40_000_000, 0, 0, 0)),
            Results.comparison(directory, 7, 7));
    assertThat(ResultTable.of(Results.result(true, stock, weir)).lines())
        .containsExactly(
            "montage-16-tiles on 4 nodes, links 100mbit",
            "",
            "  mode        makespan  tasks    read locally   read remotely    local"
                + " written remotely  mosaic",
            "  stock         61.3 s      1         30.0 MB         10.0 MB   75.0 %"
                + "           5.6 MB  DIFFERENT",
            "  weir          61.3 s      1         40.0 MB          0.0 MB  100.0 %"
                + "           0.0 MB  as without Hadoop");
  }
}
