package dev.weir.workflow.htmlreport;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunTotals;
import dev.weir.workflow.record.TaskRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Builds the data of a report as JSON. Attempts are rows under one list of column names, because
 * there may be thousands. Times and durations are in seconds; times count from the start of the
 * run.
 */
final class ReportData {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final List<String> COLUMNS =
      List.of(
          "lane",
          "name",
          "type",
          "attempt",
          "outcome",
          "exit",
          "ready",
          "dispatched",
          "local",
          "remote",
          "run",
          "out",
          "inputLocal",
          "inputRemote",
          "output",
          "outputRemote",
          "inputCached",
          "cpu",
          "memory");

  private final List<String> types = new ArrayList<>();

  private ReportData() {}

  static String of(List<RunRecord> runs, String failure) {
    return new ReportData().toJson(runs, failure);
  }

  private String toJson(List<RunRecord> runs, String failure) {
    ObjectNode root = JSON.createObjectNode().put("failure", failure);
    ArrayNode columns = root.putArray("columns");
    COLUMNS.forEach(columns::add);
    Set<String> labels = new HashSet<>();
    ArrayNode runNodes = root.putArray("runs");
    for (RunRecord run : runs) {
      String label = labels.add(run.mode()) ? run.mode() : run.mode() + " " + run.runId();
      runNodes.add(run(run, label));
    }
    ArrayNode typeNodes = root.putArray("types");
    types.forEach(typeNodes::add);
    return root.toString();
  }

  private ObjectNode run(RunRecord run, String label) {
    List<Lane> lanes = Lane.of(run);
    ObjectNode node =
        JSON.createObjectNode()
            .put("label", label)
            .put("state", run.state().name())
            .put("started", run.started().toString())
            .put("makespan", seconds(run.totals().makespan()));
    totals(node.putObject("totals"), run.totals())
        .put("reused", run.reused().size())
        .put("betweenCaches", run.caches().between())
        .put("ahead", run.caches().ahead())
        .put("aheadUsed", run.caches().aheadUsed())
        .put("deleted", run.tidied().bytes());
    ArrayNode laneNodes = node.putArray("lanes");
    Map<String, Integer> laneOf = new HashMap<>();
    for (Lane lane : lanes) {
      laneOf.put(lane.worker(), laneOf.size());
      laneNodes
          .addObject()
          .put("worker", lane.worker())
          .put("node", lane.node())
          .put("rack", lane.rack());
    }
    ArrayNode tasks = node.putArray("tasks");
    for (TaskRecord task : run.tasks()) {
      Integer lane = laneOf.get(task.worker());
      row(tasks.addArray(), task, lane == null ? 0 : lane, run.started());
    }
    return node;
  }

  private static ObjectNode totals(ObjectNode node, RunTotals totals) {
    return node.put("tasks", totals.tasks())
        .put("unsuccessful", totals.unsuccessfulAttempts())
        .put("inputLocal", totals.traffic().inputLocal())
        .put("inputRemote", totals.traffic().inputRemote())
        .put("output", totals.traffic().output())
        .put("outputRemote", totals.traffic().outputRemote())
        .put("inputCached", totals.traffic().inputCached());
  }

  private void row(ArrayNode row, TaskRecord task, int lane, Instant start) {
    row.add(lane)
        .add(task.task())
        .add(type(task.type()))
        .add(task.attempt())
        .add(task.outcome().name())
        .add(task.exitCode())
        .add(seconds(Duration.between(start, task.ready())))
        .add(seconds(Duration.between(start, task.dispatched())))
        .add(seconds(task.phases().stageInLocal()))
        .add(seconds(task.phases().stageInRemote()))
        .add(seconds(task.phases().run()))
        .add(seconds(task.phases().stageOut()))
        .add(task.traffic().inputLocal())
        .add(task.traffic().inputRemote())
        .add(task.traffic().output())
        .add(task.traffic().outputRemote())
        .add(task.traffic().inputCached())
        .add(seconds(Duration.ofMillis(task.effort().cpuMillis())))
        .add(task.effort().peakMemoryBytes());
  }

  private int type(String type) {
    int index = types.indexOf(type);
    if (index >= 0) {
      return index;
    }
    types.add(type);
    return types.size() - 1;
  }

  /** Rounds to a tenth of a millisecond, which is less than a pixel and short in JSON. */
  private static double seconds(Duration duration) {
    return Math.round(duration.toNanos() / 1e5) / 1e4;
  }
}
