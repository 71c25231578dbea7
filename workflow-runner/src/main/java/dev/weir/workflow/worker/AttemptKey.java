package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;

/** Identifies an attempt. */
record AttemptKey(String task, int attempt) {

  static AttemptKey of(TaskOrder order) {
    return new AttemptKey(order.task(), order.attempt());
  }

  static AttemptKey of(TaskReport report) {
    return new AttemptKey(report.task(), report.attempt());
  }
}
