package dev.weir.service.runs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.service.rest.Json;
import dev.weir.workflow.provenance.RunHead;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Writes runs as instances of WfFormat 1.5, so that they are to others what the instances of
 * WfCommons are to us. A task that has not succeeded has the runtime 0: its command is worth
 * having.
 */
final class WfFormatExport {
  private static final double MILLIS = 1000;

  private final Database database;

  WfFormatExport(Database database) {
    this.database = database;
  }

  /** A run; empty when no task of it is known. */
  Optional<ObjectNode> of(RunRow run) {
    return database.read(handle -> new Document(handle, run).write());
  }

  /** A task on its way into the document. */
  private static final class Part {
    private final String id;
    private final String type;
    private final List<String> command;
    private final List<String> after;
    private final int cores;
    private final long memory;
    private final List<String> inputs = new ArrayList<>();
    private final List<String> outputs = new ArrayList<>();
    private final Set<String> parents = new LinkedHashSet<>();
    private final Set<String> children = new LinkedHashSet<>();
    private @Nullable Ran ran;

    Part(ResultSet row) throws SQLException {
      id = RunRow.text(row, "task_id");
      type = RunRow.text(row, "task_type");
      command = Words.of(RunRow.text(row, "command"));
      after = Words.of(RunRow.text(row, "after_tasks"));
      cores = row.getInt("cores");
      memory = row.getLong("memory_bytes");
    }
  }

  /** The attempt at a task that succeeded. */
  private record Ran(long runMillis, String node, long read, long written, Instant ended) {}

  /** One run. */
  private static final class Document {
    private final Handle handle;
    private final RunRow run;
    private final Map<UUID, Part> tasks = new LinkedHashMap<>();
    private final Map<String, Long> sizes = new LinkedHashMap<>();

    Document(Handle handle, RunRow run) {
      this.handle = handle;
      this.run = run;
    }

    Optional<ObjectNode> write() {
      readTasks();
      readFiles();
      readAttempts();
      if (tasks.isEmpty()) {
        return Optional.empty();
      }
      relate();
      RunHead head = run.head();
      ObjectNode root = Json.object().put("name", head.workflow());
      root.put("description", "Run " + run.id() + " of Weir, mode " + head.mode());
      root.put("createdAt", head.started().toString()).put("schemaVersion", "1.5");
      String version = WfFormatExport.class.getPackage().getImplementationVersion();
      root.putObject("runtimeSystem")
          .put("name", "Weir")
          .put("version", version == null ? "development" : version);
      ObjectNode workflow = root.putObject("workflow");
      specification(workflow.putObject("specification"));
      execution(workflow.putObject("execution"));
      return Optional.of(root);
    }

    private void readTasks() {
      handle
          .createQuery(
              """
              SELECT task_key, task_id, task_type, command, after_tasks, cores, memory_bytes
              FROM tasks WHERE run_no = :run ORDER BY task_id
              """)
          .bind("run", run.number())
          .map((row, context) -> Map.entry(row.getObject("task_key", UUID.class), new Part(row)))
          .forEach(task -> tasks.put(task.getKey(), task.getValue()));
    }

    private void readFiles() {
      handle
          .createQuery(
              """
              SELECT n.task_key, n.direction, f.file_id, f.declared_bytes,
                (SELECT MAX(u.bytes) FROM attempt_files u
                  WHERE u.run_no = f.run_no AND u.file_key = f.file_key
                    AND u.task_key = n.task_key) AS bytes
              FROM task_files n
              JOIN run_files f ON f.run_no = n.run_no AND f.file_key = n.file_key
              WHERE n.run_no = :run ORDER BY n.task_key, n.direction, n.place
              """)
          .bind("run", run.number())
          .map((row, context) -> file(row))
          .forEach(
              file -> {
                // What was measured counts for more than what was declared.
                if (file.measured) {
                  sizes.put(file.id, file.bytes);
                } else {
                  sizes.putIfAbsent(file.id, file.bytes);
                }
              });
    }

    private record Size(String id, boolean measured, long bytes) {}

    private Size file(ResultSet row) throws SQLException {
      Part task = tasks.get(row.getObject("task_key", UUID.class));
      String id = RunRow.text(row, "file_id");
      if (task != null) {
        (RunRow.text(row, "direction").equals("O") ? task.outputs : task.inputs).add(id);
      }
      long bytes = row.getLong("bytes");
      boolean measured = !row.wasNull();
      return new Size(id, measured, measured ? bytes : row.getLong("declared_bytes"));
    }

    private void readAttempts() {
      handle
          .createQuery(
              """
              SELECT task_key, run_ms, node, input_bytes_local + input_bytes_remote AS input,
                output_bytes, ended
              FROM attempts WHERE run_no = :run AND outcome = 'SUCCEEDED' ORDER BY ended
              """)
          .bind("run", run.number())
          .map(
              (row, context) ->
                  Map.entry(
                      row.getObject("task_key", UUID.class),
                      new Ran(
                          row.getLong("run_ms"),
                          RunRow.text(row, "node"),
                          row.getLong("input"),
                          row.getLong("output_bytes"),
                          Moments.read(row, "ended"))))
          .forEach(
              attempt -> {
                Part task = tasks.get(attempt.getKey());
                if (task != null) {
                  task.ran = attempt.getValue();
                }
              });
    }

    private void relate() {
      Map<String, Part> byId = new HashMap<>();
      Map<String, Part> makers = new HashMap<>();
      tasks
          .values()
          .forEach(
              task -> {
                byId.put(task.id, task);
                task.outputs.forEach(file -> makers.put(file, task));
              });
      for (Part task : tasks.values()) {
        task.inputs.forEach(file -> relate(makers.get(file), task));
        task.after.forEach(parent -> relate(byId.get(parent), task));
      }
    }

    private static void relate(@Nullable Part parent, Part child) {
      if (parent != null && parent != child) {
        parent.children.add(child.id);
        child.parents.add(parent.id);
      }
    }

    private void specification(ObjectNode specification) {
      ArrayNode list = specification.putArray("tasks");
      for (Part task : tasks.values()) {
        ObjectNode node = list.addObject().put("name", task.type).put("id", task.id);
        task.parents.forEach(node.putArray("parents")::add);
        task.children.forEach(node.putArray("children")::add);
        task.inputs.forEach(node.putArray("inputFiles")::add);
        task.outputs.forEach(node.putArray("outputFiles")::add);
      }
      ArrayNode files = specification.putArray("files");
      sizes.forEach((id, bytes) -> files.addObject().put("id", id).put("sizeInBytes", bytes));
    }

    private void execution(ObjectNode execution) {
      execution.put("makespanInSeconds", seconds(Duration.between(run.head().started(), end())));
      execution.put("executedAt", run.head().started().toString());
      ArrayNode list = execution.putArray("tasks");
      Set<String> nodes = new LinkedHashSet<>();
      for (Part task : tasks.values()) {
        ObjectNode node = list.addObject().put("id", task.id);
        Ran ran = task.ran;
        node.put("runtimeInSeconds", ran == null ? 0 : ran.runMillis() / MILLIS);
        if (!task.command.isEmpty()) {
          ObjectNode command = node.putObject("command").put("program", task.command.get(0));
          task.command.subList(1, task.command.size()).forEach(command.putArray("arguments")::add);
        }
        if (task.cores > 0) {
          node.put("coreCount", task.cores);
        }
        if (task.memory > 0) {
          node.put("memoryInBytes", task.memory);
        }
        if (ran != null) {
          node.put("readBytes", ran.read()).put("writtenBytes", ran.written());
          node.putArray("machines").add(ran.node());
          nodes.add(ran.node());
        }
      }
      if (!nodes.isEmpty()) {
        ArrayNode machines = execution.putArray("machines");
        nodes.forEach(node -> machines.addObject().put("nodeName", node).put("system", "linux"));
      }
    }

    private Instant end() {
      Instant end = run.head().ended();
      if (end != null) {
        return end;
      }
      Instant last = run.head().started();
      for (Part task : tasks.values()) {
        Ran ran = task.ran;
        if (ran != null && ran.ended().isAfter(last)) {
          last = ran.ended();
        }
      }
      return last;
    }

    private static double seconds(Duration time) {
      return time.toMillis() / MILLIS;
    }
  }
}
