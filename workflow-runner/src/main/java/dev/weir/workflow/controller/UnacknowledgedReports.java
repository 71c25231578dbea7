package dev.weir.workflow.controller;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Counts workers' reports, and which workers have unacknowledged ones. For one thread. */
final class UnacknowledgedReports {

  private final Map<String, Long> reports = new HashMap<>();
  private final Set<String> unacknowledged = new HashSet<>();

  /** A worker has reported the end of an attempt; ignored reports count too. */
  void reported(String worker) {
    reports.merge(worker, 1L, Long::sum);
    unacknowledged.add(worker);
  }

  /** Puts back workers whose reports could not be acknowledged. */
  void putBack(Set<String> workers) {
    workers.stream().filter(reports::containsKey).forEach(unacknowledged::add);
  }

  /** A worker has left. */
  void lost(String worker) {
    reports.remove(worker);
    unacknowledged.remove(worker);
  }

  /** Returns the total number of reports of each worker that has reported since the last call. */
  Map<String, Long> take() {
    Map<String, Long> due = new HashMap<>();
    unacknowledged.forEach(worker -> due.put(worker, reports.getOrDefault(worker, 0L)));
    unacknowledged.clear();
    return due;
  }
}
