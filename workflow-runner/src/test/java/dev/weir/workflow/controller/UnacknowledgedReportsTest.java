package dev.weir.workflow.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnacknowledgedReportsTest {

  private final UnacknowledgedReports receipts = new UnacknowledgedReports();

  @Test
  void allReportsOfAWorkerCountAndAreToldOnce() {
    receipts.reported("w1");
    receipts.reported("w1");
    receipts.reported("w2");

    assertThat(receipts.take()).isEqualTo(Map.of("w1", 2L, "w2", 1L));
    assertThat(receipts.take()).isEmpty();
    receipts.reported("w1");
    assertThat(receipts.take()).isEqualTo(Map.of("w1", 3L));
  }

  @Test
  void whatCouldNotBeToldIsToldNextTimeExceptToWhoIsGone() {
    receipts.reported("w1");
    receipts.reported("w2");
    Set<String> due = receipts.take().keySet();
    receipts.left("w2");

    receipts.putBack(due);

    assertThat(receipts.take()).isEqualTo(Map.of("w1", 1L));
  }
}
