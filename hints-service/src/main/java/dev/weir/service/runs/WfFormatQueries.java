package dev.weir.service.runs;

import dev.weir.service.database.Database;
import dev.weir.service.database.NameHash;
import dev.weir.service.database.SqlTimestamps;
import dev.weir.service.database.StringListColumn;
import dev.weir.workflow.record.ResourceUse;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** The queries that export a run, a page at a time. */
final class WfFormatQueries {
  private final Database database;
  private final long run;

  WfFormatQueries(Database database, long run) {
    this.database = database;
    this.run = run;
  }

  /**
   * The data of all tasks.
   *
   * @param keys of the tasks, in the order of their ids
   * @param after by task id, the tasks that depend on the task without reading its outputs
   */
  record Tasks(List<UUID> keys, Set<UUID> known, Map<String, List<String>> after) {
    boolean isKnown(String id) {
      return known.contains(NameHash.of(id));
    }
  }

  Tasks tasks(int limit) {
    List<UUID> keys = new ArrayList<>();
    Map<String, List<String>> after = new HashMap<>();
    return database.read(
        handle -> {
          query(
                  handle,
                  """
                  SELECT task_key, task_id,
                    CASE WHEN after_tasks = '[]' THEN NULL ELSE after_tasks END AS after_tasks
                  FROM tasks WHERE run_no = :run ORDER BY task_id LIMIT :most
                  """)
              .bind("most", limit)
              .map(
                  (row, context) -> {
                    keys.add(key(row));
                    String parents = row.getString("after_tasks");
                    String id = RunRow.text(row, "task_id");
                    for (String parent :
                        parents == null ? List.<String>of() : StringListColumn.of(parents)) {
                      if (!parent.equals(id)) {
                        after.computeIfAbsent(parent, known -> new ArrayList<>()).add(id);
                      }
                    }
                    return true;
                  })
              .forEach(row -> {});
          return new Tasks(keys, new HashSet<>(keys), after);
        });
  }

  /** A task as it was declared. */
  record Part(
      String id, String type, List<String> command, List<String> after, int cores, long memory) {}

  Map<UUID, Part> parts(List<UUID> keys) {
    Map<UUID, Part> parts = new HashMap<>();
    return database.read(
        handle -> {
          query(
                  handle,
                  """
                  SELECT task_key, task_id, task_type, command, after_tasks, cores, memory_bytes
                  FROM tasks WHERE run_no = :run AND task_key IN (<keys>)
                  """)
              .bindList("keys", keys)
              .map(
                  (row, context) ->
                      Map.entry(
                          key(row),
                          new Part(
                              RunRow.text(row, "task_id"),
                              RunRow.text(row, "task_type"),
                              StringListColumn.of(RunRow.text(row, "command")),
                              StringListColumn.of(RunRow.text(row, "after_tasks")),
                              row.getInt("cores"),
                              row.getLong("memory_bytes"))))
              .forEach(part -> parts.put(part.getKey(), part.getValue()));
          return parts;
        });
  }

  /** The relations of a task by files. */
  record Edges(Set<String> inputs, Set<String> outputs, Set<String> parents, Set<String> children) {
    Edges() {
      this(
          new LinkedHashSet<>(),
          new LinkedHashSet<>(),
          new LinkedHashSet<>(),
          new LinkedHashSet<>());
    }
  }

  /** Returns the relations of these tasks. */
  Map<UUID, Edges> edges(List<UUID> keys) {
    Map<UUID, Edges> edges = new HashMap<>();
    keys.forEach(key -> edges.put(key, new Edges()));
    return database.read(
        handle -> {
          query(
                  handle,
                  """
                  SELECT n.task_key, n.direction, f.file_id AS other
                  FROM task_files n
                  JOIN run_files f ON f.run_no = n.run_no AND f.file_key = n.file_key
                  WHERE n.run_no = :run AND n.task_key IN (<keys>)
                  ORDER BY n.task_key, n.direction, n.place
                  """)
              .bindList("keys", keys)
              .map((row, context) -> new Edge(key(row), other(row), isOutput(row)))
              .forEach(
                  file -> {
                    Edges of = Objects.requireNonNull(edges.get(file.task()));
                    (file.output() ? of.outputs() : of.inputs()).add(file.other());
                  });
          query(
                  handle,
                  """
                  SELECT DISTINCT n.task_key, n.direction, t.task_id AS other
                  FROM task_files n
                  JOIN task_files o ON o.run_no = n.run_no AND o.file_key = n.file_key
                    AND o.direction <> n.direction AND o.task_key <> n.task_key
                  JOIN tasks t ON t.run_no = o.run_no AND t.task_key = o.task_key
                  WHERE n.run_no = :run AND n.task_key IN (<keys>)
                  ORDER BY n.task_key, n.direction, t.task_id
                  """)
              .bindList("keys", keys)
              .map((row, context) -> new Edge(key(row), other(row), isOutput(row)))
              .forEach(
                  task -> {
                    Edges of = Objects.requireNonNull(edges.get(task.task()));
                    (task.output() ? of.children() : of.parents()).add(task.other());
                  });
          return edges;
        });
  }

  private record Edge(UUID task, String other, boolean output) {}

  private static String other(ResultSet row) throws SQLException {
    return RunRow.text(row, "other");
  }

  private static boolean isOutput(ResultSet row) throws SQLException {
    return RunRow.text(row, "direction").equals("O");
  }

  /** A file with its measured size, or else the declared one. */
  record Size(UUID key, String id, long bytes) {}

  /**
   * Returns the next files of tasks.
   *
   * @param after the last file of the previous page; null for the first page
   */
  List<Size> sizes(@Nullable UUID after, int limit) {
    return database.read(
        handle -> {
          Query query =
              query(
                      handle,
                      """
                      SELECT f.file_key, f.file_id, f.declared_bytes, MAX(u.bytes) AS bytes
                      FROM (SELECT file_key, file_id, declared_bytes FROM run_files p
                        WHERE p.run_no = :run
                          AND EXISTS (SELECT 1 FROM task_files n
                            WHERE n.run_no = :run AND n.file_key = p.file_key)
                      """
                          + (after == null ? "" : " AND p.file_key > :after")
                          + """
                           ORDER BY p.file_key LIMIT :most) f
                          JOIN task_files n ON n.run_no = :run AND n.file_key = f.file_key
                          LEFT JOIN attempt_files u ON u.run_no = :run AND u.task_key = n.task_key
                            AND u.file_key = f.file_key
                          GROUP BY f.file_key, f.file_id, f.declared_bytes
                          ORDER BY f.file_key
                          """)
                  .bind("most", limit);
          return (after == null ? query : query.bind("after", after))
              .map((row, context) -> size(row))
              .list();
        });
  }

  private static Size size(ResultSet row) throws SQLException {
    long measured = row.getLong("bytes");
    boolean unknown = row.wasNull();
    UUID key = Objects.requireNonNull(row.getObject("file_key", UUID.class));
    return new Size(
        key, RunRow.text(row, "file_id"), unknown ? row.getLong("declared_bytes") : measured);
  }

  /**
   * The last successful attempt of a task.
   *
   * @param effort its resource usage; null if not known
   */
  record Ran(long runMillis, String node, long read, long written, @Nullable ResourceUse effort) {}

  /** Returns the successful attempts of these tasks. */
  Map<UUID, Ran> ran(List<UUID> keys) {
    Map<UUID, Ran> ran = new HashMap<>();
    return database.read(
        handle -> {
          query(
                  handle,
                  """
                  SELECT task_key, run_ms, node, input_bytes_local + input_bytes_remote AS input,
                    output_bytes, cpu_ms, peak_memory_bytes
                  FROM attempts
                  WHERE run_no = :run AND task_key IN (<keys>) AND outcome = 'SUCCEEDED'
                  ORDER BY ended
                  """)
              .bindList("keys", keys)
              .map(
                  (row, context) ->
                      Map.entry(
                          key(row),
                          new Ran(
                              row.getLong("run_ms"),
                              RunRow.text(row, "node"),
                              row.getLong("input"),
                              row.getLong("output_bytes"),
                              UsageColumns.read(row))))
              .forEach(attempt -> ran.put(attempt.getKey(), attempt.getValue()));
          return ran;
        });
  }

  /** Returns the nodes on which tasks succeeded. */
  List<String> nodes() {
    return database.read(
        handle ->
            query(
                    handle,
                    """
                    SELECT DISTINCT node FROM attempts
                    WHERE run_no = :run AND outcome = 'SUCCEEDED' ORDER BY node
                    """)
                .mapTo(String.class)
                .list());
  }

  /** Returns the end of the last successful task; null if there is none. */
  @Nullable Instant lastEnd() {
    return database
        .read(
            handle ->
                query(
                        handle,
                        """
                        SELECT ended FROM attempts WHERE run_no = :run AND outcome = 'SUCCEEDED'
                        ORDER BY ended DESC LIMIT 1
                        """)
                    .map((row, context) -> SqlTimestamps.read(row, "ended"))
                    .findOne())
        .orElse(null);
  }

  private Query query(Handle handle, String sql) {
    return handle.createQuery(sql).bind("run", run);
  }

  private static UUID key(ResultSet row) throws SQLException {
    return Objects.requireNonNull(row.getObject("task_key", UUID.class));
  }
}
