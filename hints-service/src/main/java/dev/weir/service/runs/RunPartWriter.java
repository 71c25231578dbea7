package dev.weir.service.runs;

import dev.weir.service.database.NameHash;
import dev.weir.service.database.SqlTimestamps;
import dev.weir.service.database.StringListColumn;
import dev.weir.workflow.provenance.AttemptEntry;
import dev.weir.workflow.provenance.FileEntry;
import dev.weir.workflow.provenance.FileUse;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.TaskEntry;
import dev.weir.workflow.provenance.WorkerEntry;
import dev.weir.workflow.record.ResourceUse;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/**
 * Writes a part of a run in a transaction that holds the run's row. Each entry replaces the one
 * with the same key.
 */
final class RunPartWriter {
  private static final String IN = "I";
  private static final String OUT = "O";

  private final Handle handle;
  private final RunRow run;
  private long added;

  RunPartWriter(Handle handle, RunRow run) {
    this.handle = handle;
    this.run = run;
  }

  /**
   * Writes the part.
   *
   * @return the number of rows by which the run has grown
   */
  long write(RunPart part) {
    files(part);
    tasks(last(part.tasks(), TaskEntry::id));
    attempts(last(part.attempts(), attempt -> attempt.task() + "\0" + attempt.attempt()));
    workers(last(part.workers(), WorkerEntry::id));
    return added;
  }

  private void insert(PreparedBatch batch) {
    added += IntStream.of(batch.execute()).sum();
  }

  private void remove(PreparedBatch batch) {
    added -= IntStream.of(batch.execute()).sum();
  }

  private static <T> Collection<T> last(List<T> entries, Function<T, String> key) {
    Map<String, T> last = new LinkedHashMap<>();
    entries.forEach(entry -> last.put(key.apply(entry), entry));
    return last.values();
  }

  private void files(RunPart part) {
    Map<String, @Nullable Long> declared = new LinkedHashMap<>();
    for (FileEntry file : part.files()) {
      declared.put(file.id(), file.bytes());
    }
    Set<String> named = new LinkedHashSet<>();
    part.tasks()
        .forEach(
            task -> {
              named.addAll(task.inputs());
              named.addAll(task.outputs());
            });
    part.attempts().forEach(attempt -> attempt.files().forEach(file -> named.add(file.id())));
    named.removeAll(declared.keySet());
    removeFiles(declared.keySet());
    insertFiles(declared);
    insertUnknown(named);
  }

  private void removeFiles(Set<String> ids) {
    if (ids.isEmpty()) {
      return;
    }
    PreparedBatch batch =
        handle.prepareBatch("DELETE FROM run_files WHERE run_no = :run AND file_key = :file");
    ids.forEach(id -> batch.bind("run", run.number()).bind("file", NameHash.of(id)).add());
    remove(batch);
  }

  private void insertFiles(Map<String, @Nullable Long> files) {
    if (files.isEmpty()) {
      return;
    }
    PreparedBatch batch =
        handle.prepareBatch(
            """
            INSERT INTO run_files (run_no, file_key, file_id, path, path_key, declared_bytes)
            VALUES (:run, :file, :id, :path, :pathKey, :bytes)
            """);
    files.forEach((id, bytes) -> file(batch, id).bind("bytes", bytes).add());
    insert(batch);
  }

  private void insertUnknown(Set<String> ids) {
    if (ids.isEmpty()) {
      return;
    }
    PreparedBatch batch =
        handle.prepareBatch(
            """
            INSERT INTO run_files (run_no, file_key, file_id, path, path_key)
            SELECT run_no, CAST(:file AS UUID), CAST(:id AS VARCHAR), CAST(:path AS VARCHAR),
              CAST(:pathKey AS UUID)
            FROM runs WHERE run_no = :run AND NOT EXISTS
              (SELECT 1 FROM run_files f WHERE f.run_no = :run AND f.file_key = :file)
            """);
    ids.forEach(id -> file(batch, id).add());
    insert(batch);
  }

  private PreparedBatch file(PreparedBatch batch, String id) {
    String path = run.head().path(id);
    return batch
        .bind("run", run.number())
        .bind("file", NameHash.of(id))
        .bind("id", id)
        .bind("path", path)
        .bind("pathKey", NameHash.of(path));
  }

  private void tasks(Collection<TaskEntry> tasks) {
    if (tasks.isEmpty()) {
      return;
    }
    for (String table : List.of("tasks", "task_files")) {
      PreparedBatch remove =
          handle.prepareBatch("DELETE FROM " + table + " WHERE run_no = :run AND task_key = :task");
      tasks.forEach(
          task -> remove.bind("run", run.number()).bind("task", NameHash.of(task.id())).add());
      remove(remove);
    }
    PreparedBatch insert =
        handle.prepareBatch(
            """
            INSERT INTO tasks (run_no, task_key, task_id, task_type, command, after_tasks, cores,
              memory_bytes)
            VALUES (:run, :task, :id, :type, :command, :after, :cores, :memory)
            """);
    PreparedBatch names =
        handle.prepareBatch(
            """
            INSERT INTO task_files (run_no, task_key, direction, file_key, place)
            VALUES (:run, :task, :direction, :file, :place)
            """);
    for (TaskEntry task : tasks) {
      insert
          .bind("run", run.number())
          .bind("task", NameHash.of(task.id()))
          .bind("id", task.id())
          .bind("type", task.type())
          .bind("command", StringListColumn.toText(task.command()))
          .bind("after", StringListColumn.toText(task.after()))
          .bind("cores", task.cores())
          .bind("memory", task.memoryBytes())
          .add();
      names(names, task.id(), IN, task.inputs());
      names(names, task.id(), OUT, task.outputs());
    }
    insert(insert);
    if (names.size() > 0) {
      insert(names);
    }
  }

  private void names(PreparedBatch batch, String task, String direction, List<String> files) {
    int place = 0;
    for (String file : new LinkedHashSet<>(files)) {
      batch
          .bind("run", run.number())
          .bind("task", NameHash.of(task))
          .bind("direction", direction)
          .bind("file", NameHash.of(file))
          .bind("place", place++)
          .add();
    }
  }

  private void attempts(Collection<AttemptEntry> attempts) {
    if (attempts.isEmpty()) {
      return;
    }
    for (String table : List.of("attempts", "attempt_files")) {
      PreparedBatch remove =
          handle.prepareBatch(
              "DELETE FROM "
                  + table
                  + " WHERE run_no = :run AND task_key = :task AND attempt_no = :attempt");
      attempts.forEach(attempt -> bindKey(remove, attempt).add());
      remove(remove);
    }
    PreparedBatch insert =
        handle.prepareBatch(
            """
            INSERT INTO attempts (run_no, task_key, attempt_no, worker, node, outcome, exit_code,
              ready, dispatched, ended, stage_in_local_ms, stage_in_remote_ms, run_ms,
              stage_out_ms, input_bytes_local, input_bytes_remote, output_bytes,
              output_bytes_remote, cpu_ms, peak_memory_bytes)
            VALUES (:run, :task, :attempt, :worker, :node, :outcome, :exit, :ready, :dispatched,
              :ended, :inLocal, :inRemote, :ran, :out, :bytesLocal, :bytesRemote, :bytesOut,
              :bytesOutRemote, :cpu, :memory)
            """);
    PreparedBatch uses =
        handle.prepareBatch(
            """
            INSERT INTO attempt_files (run_no, task_key, attempt_no, direction, file_key, bytes,
              crc32c, on_node)
            VALUES (:run, :task, :attempt, :direction, :file, :bytes, :crc, :onNode)
            """);
    for (AttemptEntry attempt : attempts) {
      attempt(insert, attempt);
      Map<String, FileUse> byKey = new LinkedHashMap<>();
      attempt.files().forEach(file -> byKey.put((file.output() ? OUT : IN) + file.id(), file));
      byKey.values().forEach(file -> use(uses, attempt, file));
    }
    insert(insert);
    if (uses.size() > 0) {
      insert(uses);
    }
  }

  private PreparedBatch bindKey(PreparedBatch batch, AttemptEntry attempt) {
    UUID task = NameHash.of(attempt.task());
    return batch.bind("run", run.number()).bind("task", task).bind("attempt", attempt.attempt());
  }

  private void attempt(PreparedBatch batch, AttemptEntry attempt) {
    ResourceUse effort = attempt.effort();
    bindKey(batch, attempt)
        .bind("worker", attempt.worker())
        .bind("node", attempt.node())
        .bind("outcome", attempt.outcome().name())
        .bind("exit", attempt.exitCode())
        .bind("ready", SqlTimestamps.of(attempt.ready()))
        .bind("dispatched", SqlTimestamps.of(attempt.dispatched()))
        .bind("ended", SqlTimestamps.of(attempt.ended()))
        .bind("inLocal", attempt.times().stageInLocal())
        .bind("inRemote", attempt.times().stageInRemote())
        .bind("ran", attempt.times().run())
        .bind("out", attempt.times().stageOut())
        .bind("bytesLocal", attempt.bytes().inputLocal())
        .bind("bytesRemote", attempt.bytes().inputRemote())
        .bind("bytesOut", attempt.bytes().output())
        .bind("bytesOutRemote", attempt.bytes().outputRemote())
        .bind("cpu", effort == null ? null : Long.valueOf(effort.cpuMillis()))
        .bind("memory", effort == null ? null : UsageColumns.memory(effort))
        .add();
  }

  private void use(PreparedBatch batch, AttemptEntry attempt, FileUse file) {
    bindKey(batch, attempt)
        .bind("direction", file.output() ? OUT : IN)
        .bind("file", NameHash.of(file.id()))
        .bind("bytes", file.bytes())
        .bind("crc", file.crc32c())
        .bind("onNode", file.onNode() != null && file.onNode())
        .add();
  }

  private void workers(Collection<WorkerEntry> workers) {
    if (workers.isEmpty()) {
      return;
    }
    PreparedBatch remove =
        handle.prepareBatch("DELETE FROM workers WHERE run_no = :run AND worker_id = :id");
    PreparedBatch insert =
        handle.prepareBatch(
            """
            INSERT INTO workers (run_no, worker_id, node, rack, started, ended)
            VALUES (:run, :id, :node, :rack, :started, :ended)
            """);
    for (WorkerEntry worker : workers) {
      remove.bind("run", run.number()).bind("id", worker.id()).add();
      insert
          .bind("run", run.number())
          .bind("id", worker.id())
          .bind("node", worker.node())
          .bind("rack", worker.rack())
          .bind("started", SqlTimestamps.of(worker.started()))
          .bind("ended", SqlTimestamps.of(worker.ended()))
          .add();
    }
    remove(remove);
    insert(insert);
  }
}
