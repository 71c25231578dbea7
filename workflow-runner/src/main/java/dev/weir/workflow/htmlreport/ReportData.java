package dev.weir.workflow.htmlreport;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.PlacementReason;
import dev.weir.workflow.record.PlacementReason.Decision;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunTotals;
import dev.weir.workflow.record.TaskRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Builds the data of a report as JSON. Attempts are columns, because there may be a hundred
 * thousand. Commands, files and reasons are written for a limited number of attempts. Times and
 * durations are in seconds; times count from the start of the run.
 */
final class ReportData {

  /** The most attempts with command, files and reason. */
  static final int MAX_DETAILED = 2_000;

  /** The most files. */
  static final int MAX_FILES = 2_000;

  /** The most files that are listed of one attempt. */
  private static final int MAX_LISTED = 50;

  private static final int MAX_COMMAND = 1_000;

  /** Points of a series over time. */
  private static final int MOMENTS = 200;

  private static final List<Outcome> OUTCOMES = List.of(Outcome.values());
  private static final List<Decision> DECISIONS = List.of(Decision.values());

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, Integer> types = new LinkedHashMap<>();

  private ReportData() {}

  /**
   * Builds the data.
   *
   * @param live from where a live page fetches the data again; empty for a file
   */
  static String of(List<ReportRun> runs, String failure, String live) {
    return new ReportData().toJson(runs, failure, live);
  }

  private String toJson(List<ReportRun> runs, String failure, String live) {
    ObjectNode root =
        JSON.createObjectNode()
            .put("failure", failure)
            .put("live", live)
            .put("workflow", runs.get(0).record().workflow());
    Set<String> labels = new HashSet<>();
    ArrayNode runNodes = root.putArray("runs");
    for (ReportRun run : runs) {
      RunRecord record = run.record();
      String label =
          labels.add(record.mode()) ? record.mode() : record.mode() + " " + record.runId();
      runNodes.add(run(run, label));
    }
    ArrayNode typeNodes = root.putArray("types");
    types.keySet().forEach(typeNodes::add);
    return root.toString();
  }

  private ObjectNode run(ReportRun shown, String label) {
    RunRecord run = shown.record();
    Lanes lanes = new Lanes(run);
    FileUses files = new FileUses(run);
    IdentityHashMap<TaskRecord, Integer> numbers = new IdentityHashMap<>();
    run.tasks().forEach(task -> numbers.put(task, numbers.size()));
    List<TaskRecord> path = CriticalPath.of(run, files);
    ObjectNode node =
        JSON.createObjectNode()
            .put("label", label)
            .put("id", run.runId())
            .put("workflow", run.workflow())
            .put("mode", run.mode())
            .put("state", run.state().name())
            .put("standIn", shown.details().standIn())
            .put("started", run.started().toString())
            .put("makespan", seconds(run.totals().makespan()));
    totals(node.putObject("totals"), run);
    lanes.writeWorkers(node.putArray("workers"), run.started());
    columns(node.putObject("tasks"), run, lanes);
    ArrayNode steps = node.putArray("path");
    path.forEach(task -> steps.add(numbers.get(task)));
    details(node.putObject("details"), shown, path, numbers, lanes);
    files.write(node, lanes, numbers, shown.details(), MAX_FILES);
    files.writeNeeded(node.putArray("needed"), MOMENTS);
    new FillSeries(run).write(node, MOMENTS);
    flows(run, lanes, files).write(node);
    // Last, when all nodes have a number.
    lanes.writeNodes(node.putArray("nodes"));
    return node;
  }

  private static void totals(ObjectNode node, RunRecord run) {
    RunTotals totals = run.totals();
    node.put("tasks", totals.tasks())
        .put("unsuccessful", totals.unsuccessfulAttempts())
        .put("inputLocal", totals.traffic().inputLocal())
        .put("inputRemote", totals.traffic().inputRemote())
        .put("output", totals.traffic().output())
        .put("outputRemote", totals.traffic().outputRemote())
        .put("inputCached", totals.traffic().inputCached())
        .put("reused", run.reused().size())
        .put("betweenCaches", run.caches().between())
        .put("deleted", run.tidied().bytes());
  }

  private void columns(ObjectNode columns, RunRecord run, Lanes lanes) {
    List<TaskRecord> tasks = run.tasks();
    ArrayNode names = columns.putArray("name");
    tasks.forEach(task -> names.add(task.task()));
    ArrayNode outcomes = columns.putArray("outcome");
    tasks.forEach(task -> outcomes.add(OUTCOMES.indexOf(task.outcome())));
    ArrayNode decisions = columns.putArray("decision");
    tasks.forEach(task -> decisions.add(DECISIONS.indexOf(task.placement().decision())));
    whole(columns, "lane", tasks, lanes::lane);
    whole(columns, "type", tasks, task -> type(task.type()));
    whole(columns, "attempt", tasks, TaskRecord::attempt);
    whole(columns, "exit", tasks, TaskRecord::exitCode);
    times(columns, "ready", tasks, task -> seconds(run.started(), task.ready()));
    times(columns, "dispatched", tasks, task -> seconds(run.started(), task.dispatched()));
    times(columns, "local", tasks, task -> seconds(task.phases().stageInLocal()));
    times(columns, "remote", tasks, task -> seconds(task.phases().stageInRemote()));
    times(columns, "run", tasks, task -> seconds(task.phases().run()));
    times(columns, "out", tasks, task -> seconds(task.phases().stageOut()));
    times(columns, "cpu", tasks, task -> task.effort().cpuMillis() / 1e3);
    whole(columns, "memory", tasks, task -> task.effort().peakMemoryBytes());
    whole(columns, "inputLocal", tasks, task -> task.traffic().inputLocal());
    whole(columns, "inputRemote", tasks, task -> task.traffic().inputRemote());
    whole(columns, "inputRack", tasks, task -> bytesFromRack(task, lanes));
    whole(columns, "inputCached", tasks, task -> task.traffic().inputCached());
    whole(columns, "output", tasks, task -> task.traffic().output());
    whole(columns, "outputRemote", tasks, task -> task.traffic().outputRemote());
    ArrayNode labels = columns.putArray("outcomes");
    OUTCOMES.forEach(outcome -> labels.add(outcome.name()));
    ArrayNode reasons = columns.putArray("decisions");
    DECISIONS.forEach(it -> reasons.add(it.name().toLowerCase(Locale.ROOT).replace('_', '-')));
  }

  /** Writes whole numbers without a fraction, which saves a third of a large report. */
  private static void whole(
      ObjectNode columns, String name, List<TaskRecord> tasks, ToDoubleFunction<TaskRecord> value) {
    ArrayNode column = columns.putArray(name);
    tasks.forEach(task -> column.add((long) value.applyAsDouble(task)));
  }

  private static void times(
      ObjectNode columns, String name, List<TaskRecord> tasks, ToDoubleFunction<TaskRecord> value) {
    ArrayNode column = columns.putArray(name);
    for (TaskRecord task : tasks) {
      double seconds = value.applyAsDouble(task);
      if (seconds == Math.rint(seconds)) {
        column.add((long) seconds);
      } else {
        column.add(seconds);
      }
    }
  }

  private static long bytesFromRack(TaskRecord task, Lanes lanes) {
    long bytes = 0;
    for (FileRecord input : task.files().inputs()) {
      for (Map<String, Long> sources : List.of(input.nodes(), input.caches())) {
        for (Map.Entry<String, Long> source : sources.entrySet()) {
          bytes += lanes.sameRack(source.getKey(), task.node()) ? source.getValue() : 0;
        }
      }
    }
    return bytes;
  }

  private ByteFlows flows(RunRecord run, Lanes lanes, FileUses files) {
    ByteFlows flows = new ByteFlows();
    for (TaskRecord task : run.tasks()) {
      flows.add(task, lanes);
      if (task.outcome() == Outcome.SUCCEEDED) {
        for (FileRecord input : task.files().inputs()) {
          TaskRecord producer = files.producer(input.file());
          flows.add(
              producer == null ? -1 : type(producer.type()), type(task.type()), input.bytes());
        }
      }
    }
    return flows;
  }

  private static void details(
      ObjectNode node,
      ReportRun shown,
      List<TaskRecord> path,
      IdentityHashMap<TaskRecord, Integer> numbers,
      Lanes lanes) {
    for (TaskRecord task : notable(shown.record().tasks(), path)) {
      ObjectNode detail = node.putObject(String.valueOf(numbers.get(task)));
      List<String> command = shown.details().commands().get(task.task());
      if (command != null) {
        String words = String.join(" ", command);
        detail.put(
            "command",
            words.length() <= MAX_COMMAND ? words : words.substring(0, MAX_COMMAND) + "...");
      }
      if (!task.message().isEmpty()) {
        detail.put("message", task.message());
      }
      PlacementReason why = task.placement();
      if (why.decision() != Decision.UNKNOWN) {
        ArrayNode reason = detail.putArray("why").add(why.inputBytes()).add(why.bytesPerSecond());
        why.candidates()
            .forEach(
                it ->
                    reason
                        .addArray()
                        .add(lanes.node(it.node()))
                        .add(it.bytes())
                        .add(it.waitMillis() / 1e3));
      }
      files(detail, "inputs", task.files().inputs(), lanes);
      files(detail, "outputs", task.files().outputs(), lanes);
    }
  }

  private static void files(ObjectNode detail, String key, List<FileRecord> files, Lanes lanes) {
    if (files.isEmpty()) {
      return;
    }
    detail.put(key + "Count", files.size());
    ArrayNode rows = detail.putArray(key);
    for (FileRecord file : files.subList(0, Math.min(MAX_LISTED, files.size()))) {
      ArrayNode row = rows.addArray().add(file.file()).add(file.bytes());
      ArrayNode nodes = row.addArray();
      file.nodes().forEach((name, bytes) -> nodes.addArray().add(lanes.node(name)).add(bytes));
      ArrayNode caches = row.addArray();
      file.caches().forEach((name, bytes) -> caches.addArray().add(lanes.node(name)).add(bytes));
    }
  }

  /**
   * The attempts that a reader asks about: all, or in a large run those that failed, are on the
   * critical path, moved the most bytes or took longest.
   */
  private static Set<TaskRecord> notable(List<TaskRecord> tasks, List<TaskRecord> path) {
    Set<TaskRecord> notable = new LinkedHashSet<>();
    if (tasks.size() <= MAX_DETAILED) {
      notable.addAll(tasks);
      return notable;
    }
    int quarter = MAX_DETAILED / 4;
    tasks.stream()
        .filter(task -> task.outcome() != Outcome.SUCCEEDED)
        .limit(quarter)
        .forEach(notable::add);
    path.stream().limit(quarter).forEach(notable::add);
    tasks.stream()
        .sorted(
            Comparator.comparingLong((TaskRecord task) -> task.traffic().inputRemote()).reversed())
        .limit(quarter)
        .forEach(notable::add);
    tasks.stream()
        .sorted(Comparator.comparing((TaskRecord task) -> task.phases().total()).reversed())
        .limit(quarter)
        .forEach(notable::add);
    return notable;
  }

  private int type(String type) {
    return types.computeIfAbsent(type, name -> types.size());
  }

  static double seconds(Instant start, Instant time) {
    return seconds(Duration.between(start, time));
  }

  /** Rounds to a millisecond, which is less than a pixel and short in JSON. */
  static double seconds(Duration duration) {
    return Math.round(duration.toNanos() / 1e6) / 1e3;
  }
}
