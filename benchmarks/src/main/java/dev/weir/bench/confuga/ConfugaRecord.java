package dev.weir.bench.confuga;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.WorkerRecord;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Creates the record of a run from Makeflow's log and the tables of Confuga's head node. A task is
 * dispatched when Makeflow has submitted it and Confuga has chosen its node, by whole seconds.
 */
final class ConfugaRecord {
  /** The mode in records. */
  static final String MODE = "confuga";

  /**
   * The jobs with their nodes and numbers of pulled files, then the inputs with the node from which
   * each was pushed, else with one from which it may have been pulled, then the outputs with the
   * nodes that hold them. A pulled file is one of the newest on the job's node.
   */
  static final String QUERY =
      """
      SELECT 'job', j.id, n.hostport, j.time_scheduled, coalesce(j.pull_count, 0)
        FROM ConfugaJob j JOIN c.StorageNode n ON n.id = j.sid;
      SELECT CASE WHEN p.id THEN 'pushed' ELSE 'input' END, i.jid, i.task_path, f.size, n.hostport
        FROM ConfugaInputFile i JOIN ConfugaJob j ON j.id = i.jid JOIN c.File f ON f.id = i.fid
        LEFT JOIN c.TransferJob p
          ON p.source_id = i.jid AND p.fid = i.fid AND p.state = 'COMPLETED'
        LEFT JOIN c.Replica r ON r.fid = i.fid AND r.sid = j.sid
        JOIN c.StorageNode n ON n.id = coalesce(p.fsid,
          (SELECT min(o.sid) FROM c.Replica o WHERE o.fid = i.fid AND o.sid <> j.sid), j.sid)
        ORDER BY i.jid, r.time_create DESC;
      SELECT 'output', o.jid, o.task_path, o.size,
          (SELECT group_concat(n.hostport) FROM c.Replica r JOIN c.StorageNode n ON n.id = r.sid
            WHERE r.fid = o.fid)
        FROM ConfugaOutputFile o;
      """;

  /** The states of a node in Makeflow's log. */
  private static final String RUNNING = "1";

  private static final String COMPLETE = "2";
  private static final int COLUMNS = 4;

  private final WorkflowGraph graph;
  private final List<String> nodes;
  private final Map<Long, JobTrace> jobs = new HashMap<>();

  /** The times, node and files of a job. */
  private static final class JobTrace {
    private Instant submitted = Instant.EPOCH;
    private Instant completed = Instant.EPOCH;
    private Instant scheduled = Instant.EPOCH;
    private String node = "";
    private int pulls;
    private final Map<String, FileRecord> inputs = new HashMap<>();
    private final Map<String, FileRecord> outputs = new HashMap<>();
  }

  /**
   * Creates an empty record.
   *
   * @param nodes those of Confuga, also those that ran no task
   */
  ConfugaRecord(WorkflowGraph graph, List<String> nodes) {
    this.graph = graph;
    this.nodes = List.copyOf(nodes);
  }

  /** Reads Makeflow's log: lines of time in µs, node, state and job; others begin with #. */
  void readLog(List<String> lines) {
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (line.startsWith("#") || words.length < COLUMNS) {
        continue;
      }
      Instant time = Instant.EPOCH.plus(Long.parseLong(words[0]), ChronoUnit.MICROS);
      if (words[2].equals(RUNNING)) {
        job(words[3]).submitted = time;
      } else if (words[2].equals(COMPLETE)) {
        job(words[3]).completed = time;
      }
    }
  }

  /** Reads the rows of {@link #QUERY}. */
  void readRows(List<String> rows) {
    for (String row : rows) {
      String[] cells = row.split("\t", -1);
      JobTrace job = job(cells[1]);
      switch (cells[0]) {
        case "job" -> {
          job.node = host(cells[2]);
          job.scheduled = Instant.ofEpochSecond(Long.parseLong(cells[3]));
          job.pulls = Integer.parseInt(cells[4]);
        }
        case "pushed" -> job.inputs.put(name(cells), file(cells));
        case "input" -> {
          FileRecord input = file(cells);
          job.inputs.put(name(cells), job.pulls > 0 ? input : input.withoutHosts());
          job.pulls--;
        }
        case "output" -> job.outputs.put(name(cells), file(cells));
        default -> throw new IllegalArgumentException("Unknown row: " + row);
      }
    }
  }

  private JobTrace job(String id) {
    return jobs.computeIfAbsent(Long.valueOf(id), key -> new JobTrace());
  }

  private static String name(String[] cells) {
    return cells[2].startsWith("./") ? cells[2].substring(2) : cells[2];
  }

  private static FileRecord file(String[] cells) {
    long size = Long.parseLong(cells[3]);
    Map<String, Long> holders = new HashMap<>();
    for (String holder : cells[4].split(",", -1)) {
      if (!holder.isEmpty()) {
        holders.put(host(holder), size);
      }
    }
    return new FileRecord(
        name(cells), size, Checksum.UNKNOWN, holders, Map.of(), /* onNode= */ false);
  }

  private static String host(String hostPort) {
    return hostPort.substring(0, hostPort.indexOf(':'));
  }

  /**
   * Returns the record of the log and the rows.
   *
   * @throws IOException if a task has not ended
   */
  RunRecord of(String id, Instant begin, Instant end) throws IOException {
    Map<String, JobTrace> byTask = jobsByTask();
    List<TaskRecord> tasks = new ArrayList<>();
    for (Task task : graph.workflow().tasks()) {
      Instant ready = begin;
      for (Task parent : graph.parents(task.id())) {
        ready = latest(ready, ended(byTask, parent).completed);
      }
      tasks.add(record(task, ended(byTask, task), ready));
    }
    tasks.sort(Comparator.comparing(TaskRecord::dispatched));
    List<WorkerRecord> workers =
        nodes.stream()
            .map(node -> new WorkerRecord(worker(node), node, "/default-rack", begin, end))
            .toList();
    return new RunRecord(
        id, graph.workflow().name(), MODE, RunState.SUCCEEDED, begin, end, workers, tasks);
  }

  private Map<String, JobTrace> jobsByTask() {
    Map<String, JobTrace> byTask = new HashMap<>();
    for (JobTrace job : jobs.values()) {
      for (String file : job.outputs.keySet()) {
        graph.producer(file).ifPresent(task -> byTask.put(task.id(), job));
      }
    }
    return byTask;
  }

  private static JobTrace ended(Map<String, JobTrace> byTask, Task task) throws IOException {
    JobTrace job = byTask.get(task.id());
    if (job == null || job.node.isEmpty() || job.completed.equals(Instant.EPOCH)) {
      throw new IOException("Confuga has no end of task " + task.id());
    }
    return job;
  }

  private static String worker(String node) {
    return MODE + "-" + node;
  }

  private static TaskRecord record(Task task, JobTrace job, Instant ready) {
    List<FileRecord> inputs =
        task.inputs().stream().filter(job.inputs::containsKey).map(job.inputs::get).toList();
    List<FileRecord> outputs =
        task.outputs().stream().filter(job.outputs::containsKey).map(job.outputs::get).toList();
    long remote =
        inputs.stream().filter(file -> !file.nodes().isEmpty()).mapToLong(FileRecord::bytes).sum();
    long read = inputs.stream().mapToLong(FileRecord::bytes).sum();
    long written = outputs.stream().mapToLong(FileRecord::bytes).sum();
    Instant dispatched = latest(ready, job.submitted, job.scheduled);
    return TaskRecord.builder(task.id(), task.type(), 1)
        .worker(worker(job.node), job.node)
        .outcome(Outcome.SUCCEEDED, 0)
        .times(ready, dispatched)
        .phases(
            new TaskRecord.Phases(
                Duration.ZERO,
                Duration.ZERO,
                Duration.between(dispatched, latest(dispatched, job.completed)),
                Duration.ZERO))
        .traffic(new TaskRecord.Traffic(0, remote, written, written, read - remote))
        .files(inputs, outputs)
        .build();
  }

  private static Instant latest(Instant first, Instant... others) {
    Instant latest = first;
    for (Instant other : others) {
      latest = other.isAfter(latest) ? other : latest;
    }
    return latest;
  }
}
