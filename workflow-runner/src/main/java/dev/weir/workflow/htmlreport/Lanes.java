package dev.weir.workflow.htmlreport;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.WorkerRecord;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The lanes of the workers of a run, and the numbers of its nodes, in the order of the lanes. */
final class Lanes {

  private static final Comparator<WorkerRecord> ORDER =
      Comparator.comparing(WorkerRecord::rack, Lanes::byNumber)
          .thenComparing(WorkerRecord::node, Lanes::byNumber)
          .thenComparing(WorkerRecord::id, Lanes::byNumber);

  private final List<WorkerRecord> workers;
  private final Map<String, Integer> laneOf = new HashMap<>();
  private final Map<String, String> racks = new LinkedHashMap<>();
  private final Map<String, Integer> nodeOf = new LinkedHashMap<>();

  /** Sorts the workers by rack, node and id. Workers that occur only in tasks have lanes, too. */
  Lanes(RunRecord run) {
    Map<String, WorkerRecord> all = new LinkedHashMap<>();
    run.workers().forEach(worker -> all.putIfAbsent(worker.id(), worker));
    for (TaskRecord task : run.tasks()) {
      all.computeIfAbsent(
          task.worker(), id -> new WorkerRecord(id, task.node(), "", run.started(), run.ended()));
    }
    workers = all.values().stream().sorted(ORDER).toList();
    for (WorkerRecord worker : workers) {
      laneOf.put(worker.id(), laneOf.size());
      racks.putIfAbsent(worker.node(), worker.rack());
      node(worker.node());
    }
  }

  List<WorkerRecord> workers() {
    return workers;
  }

  int lane(TaskRecord task) {
    return laneOf.getOrDefault(task.worker(), 0);
  }

  /** Returns the number of a node; a node without a worker gets the next one. */
  int node(String name) {
    Integer known = nodeOf.get(name);
    if (known != null) {
      return known;
    }
    nodeOf.put(name, nodeOf.size());
    return nodeOf.size() - 1;
  }

  /** Returns whether two nodes are known to be in one rack. */
  boolean sameRack(String one, String other) {
    String rack = racks.getOrDefault(one, "");
    return !rack.isEmpty() && rack.equals(racks.get(other));
  }

  /** Writes the workers: id, number of the node, seconds from start to begin and end. */
  void writeWorkers(ArrayNode rows, Instant start) {
    for (WorkerRecord worker : workers) {
      rows.addArray()
          .add(worker.id())
          .add(node(worker.node()))
          .add(ReportData.seconds(start, worker.started()))
          .add(ReportData.seconds(start, worker.ended()));
    }
  }

  /** Writes the nodes that have a number by now: name and rack. */
  void writeNodes(ArrayNode rows) {
    nodeOf.keySet().forEach(name -> rows.addArray().add(name).add(racks.getOrDefault(name, "")));
  }

  /** Compares digit sequences by their value, so that n2 comes before n10. */
  private static int byNumber(String one, String other) {
    return pad(one).compareTo(pad(other));
  }

  private static String pad(String text) {
    return text.replaceAll("(\\d+)", "000000000000$1").replaceAll("0*(\\d{12})(?!\\d)", "$1");
  }
}
