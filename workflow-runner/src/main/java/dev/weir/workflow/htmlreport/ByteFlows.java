package dev.weir.workflow.htmlreport;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.TaskRecord;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sums of bytes by a pair of nodes, and by a pair of task types. */
final class ByteFlows {

  private final Map<Pair, Long> fromNodes = new LinkedHashMap<>();
  private final Map<Pair, Long> fromCaches = new LinkedHashMap<>();
  private final Map<Pair, long[]> betweenTypes = new LinkedHashMap<>();

  private record Pair(int from, int to) {}

  /** Adds the reads of an attempt. */
  void add(TaskRecord attempt, Lanes lanes) {
    int to = lanes.node(attempt.node());
    fromNodes.merge(new Pair(to, to), attempt.traffic().inputLocal(), Long::sum);
    fromCaches.merge(new Pair(to, to), attempt.traffic().inputCached(), Long::sum);
    for (FileRecord input : attempt.files().inputs()) {
      input
          .nodes()
          .forEach((from, b) -> fromNodes.merge(new Pair(lanes.node(from), to), b, Long::sum));
      input
          .caches()
          .forEach((from, b) -> fromCaches.merge(new Pair(lanes.node(from), to), b, Long::sum));
    }
  }

  /** Adds a file that tasks of one type made and tasks of another read; -1 if none made it. */
  void add(int fromType, int toType, long bytes) {
    long[] sum = betweenTypes.computeIfAbsent(new Pair(fromType, toType), pair -> new long[2]);
    sum[0] += bytes;
    sum[1]++;
  }

  void write(ObjectNode node) {
    write(node.putArray("fromNodes"), fromNodes);
    write(node.putArray("fromCaches"), fromCaches);
    ArrayNode edges = node.putArray("edges");
    betweenTypes.forEach(
        (pair, sum) ->
            edges.addArray().add(pair.from()).add(pair.to()).add(sum[0]).add((int) sum[1]));
  }

  private static void write(ArrayNode rows, Map<Pair, Long> flows) {
    flows.forEach(
        (pair, bytes) -> {
          if (bytes > 0) {
            rows.addArray().add(pair.from()).add(pair.to()).add(bytes);
          }
        });
  }
}
