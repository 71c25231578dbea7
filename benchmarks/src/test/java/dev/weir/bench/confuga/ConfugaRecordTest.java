package dev.weir.bench.confuga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfugaRecordTest {
  private static final Instant BEGIN = Instant.ofEpochSecond(1_000);
  private static final Workflow WORKFLOW =
      new Workflow(
          "w",
          List.of(
              new Task("make", "produce", List.of(), List.of(), List.of("data"), 0),
              new Task("use", "consume", List.of(), List.of("data"), List.of("sum"), 0)),
          Map.of("data", new DataFile("data", 1), "sum", new DataFile("sum", 1)));

  /** Node 0 of Makeflow is the second task; its job is 8. */
  private static final List<String> LOG =
      List.of(
          "# STARTED 1000000000",
          "1000500000 1 1 7 1 1 0 0 0 2",
          "1003000000 1 2 7 1 0 1 0 0 2",
          "1003100000 0 1 8 0 1 1 0 0 2",
          "1013250000 0 2 8 0 0 2 0 0 2",
          "# COMPLETED 1013250001");

  private static final List<String> ROWS =
      List.of(
          "job\t7\tn1:9094\t1000\t0",
          "job\t8\tn2:9094\t1004\t0",
          "pushed\t8\t./data\t5000\tn1:9094",
          "output\t7\t./data\t5000\tn1:9094,n2:9094",
          "output\t8\t./sum\t20\tn2:9094");

  @Test
  void tasksHaveTimesNodesAndTransfers() throws IOException {
    RunRecord run = run(LOG, ROWS);

    assertThat(run.workers()).hasSize(3);
    TaskRecord make = run.tasks().get(0);
    assertThat(make.dispatched()).isEqualTo(BEGIN.plusMillis(500));
    assertThat(make.files().outputs().get(0).nodes()).isEqualTo(Map.of("n1", 5_000L, "n2", 5_000L));
    TaskRecord use = run.tasks().get(1);
    assertThat(use.node()).isEqualTo("n2");
    assertThat(use.ready()).isEqualTo(BEGIN.plusSeconds(3));
    assertThat(Duration.between(use.ready(), use.dispatched())).isEqualTo(Duration.ofSeconds(1));
    assertThat(use.ended()).isEqualTo(BEGIN.plusMillis(13_250));
    assertThat(use.traffic().inputRemote()).isEqualTo(5_000);
    assertThat(use.files().inputs().get(0).nodes()).isEqualTo(Map.of("n1", 5_000L));
  }

  @Test
  void inputOnTheJobsNodeIsNoTransfer() throws IOException {
    List<String> rows = ROWS.stream().map(row -> row.replace("pushed", "input")).toList();

    TaskRecord use = run(LOG, rows).tasks().get(1);

    assertThat(use.traffic().inputRemote()).isZero();
    assertThat(use.traffic().inputOwn()).isEqualTo(5_000);
  }

  @Test
  void jobPullsAsManyInputsAsConfugaCounts() throws IOException {
    List<String> rows =
        ROWS.stream()
            .map(row -> row.replace("pushed", "input").replace("\t1004\t0", "\t1004\t1"))
            .toList();

    assertThat(run(LOG, rows).tasks().get(1).traffic().inputRemote()).isEqualTo(5_000);
  }

  @Test
  void taskWithoutEndIsReported() {
    assertThatThrownBy(() -> run(LOG.subList(0, 4), ROWS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("task use");
  }

  private static RunRecord run(List<String> log, List<String> rows) throws IOException {
    ConfugaRecord record = new ConfugaRecord(WORKFLOW.graph(), List.of("n1", "n2", "n3"));
    record.readLog(log);
    record.readRows(rows);
    return record.of("confuga-push-1", BEGIN, BEGIN.plusSeconds(20));
  }
}
