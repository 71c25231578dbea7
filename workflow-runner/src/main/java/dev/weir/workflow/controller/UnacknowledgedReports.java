package dev.weir.workflow.controller;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** How many reports workers have made, and which of them have not been told so. For one thread. */
final class UnacknowledgedReports {

  private final Map<String, Long> reports = new HashMap<>();
  private final Set<String> untold = new HashSet<>();

  /** A worker has reported the end of an attempt, whether anybody wanted to know or not. */
  void reported(String worker) {
    reports.merge(worker, 1L, Long::sum);
    untold.add(worker);
  }

  /** These could not be told. */
  void putBack(Set<String> workers) {
    workers.stream().filter(reports::containsKey).forEach(untold::add);
  }

  /** A worker is gone. */
  void left(String worker) {
    reports.remove(worker);
    untold.remove(worker);
  }

  /** For workers that have reported since the last call, how many reports they have made in all. */
  Map<String, Long> take() {
    Map<String, Long> due = new HashMap<>();
    untold.forEach(worker -> due.put(worker, reports.getOrDefault(worker, 0L)));
    untold.clear();
    return due;
  }
}
