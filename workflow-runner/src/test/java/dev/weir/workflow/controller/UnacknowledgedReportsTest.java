package dev.weir.workflow.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnacknowledgedReportsTest {

  private final UnacknowledgedReports reports = new UnacknowledgedReports();

  @Test
  void reportsOfAWorkerAreAcknowledgedOnceTogether() {
    reports.reported("w1");
    reports.reported("w1");
    reports.reported("w2");

    assertThat(reports.take()).isEqualTo(Map.of("w1", 2L, "w2", 1L));
    assertThat(reports.take()).isEmpty();
    reports.reported("w1");
    assertThat(reports.take()).isEqualTo(Map.of("w1", 3L));
  }

  @Test
  void failedAcknowledgementsAreRepeatedForConnectedWorkers() {
    reports.reported("w1");
    reports.reported("w2");
    Set<String> due = reports.take().keySet();
    reports.lost("w2");

    reports.putBack(due);

    assertThat(reports.take()).isEqualTo(Map.of("w1", 1L));
  }
}
