package dev.weir.workflow.htmlreport;

import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.WorkerRecord;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The lane of a worker in the report.
 *
 * @param worker id of the worker
 * @param node its node
 * @param rack the node's rack, empty if unknown
 */
record Lane(String worker, String node, String rack) {

  private static final Comparator<Lane> ORDER =
      Comparator.comparing(Lane::rack, Lane::byNumber)
          .thenComparing(Lane::node, Lane::byNumber)
          .thenComparing(Lane::worker, Lane::byNumber);

  /**
   * Returns the lanes of a run, sorted by rack, node and worker. Workers that occur only in tasks
   * have lanes as well.
   */
  static List<Lane> of(RunRecord run) {
    Map<String, Lane> lanes = new LinkedHashMap<>();
    for (WorkerRecord worker : run.workers()) {
      lanes.putIfAbsent(worker.id(), new Lane(worker.id(), worker.node(), worker.rack()));
    }
    for (TaskRecord task : run.tasks()) {
      lanes.putIfAbsent(task.worker(), new Lane(task.worker(), task.node(), ""));
    }
    return lanes.values().stream().sorted(ORDER).toList();
  }

  /** Compares digit sequences by their value, so that n2 comes before n10. */
  private static int byNumber(String one, String other) {
    return pad(one).compareTo(pad(other));
  }

  private static String pad(String text) {
    return text.replaceAll("(\\d+)", "000000000000$1").replaceAll("0*(\\d{12})(?!\\d)", "$1");
  }
}
