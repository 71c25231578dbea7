package dev.weir.service.runs;

import dev.weir.service.database.Batches;
import dev.weir.service.database.Database;
import dev.weir.service.database.NameHash;
import dev.weir.service.database.SqlTimestamps;
import dev.weir.service.database.StringListColumn;
import dev.weir.service.runs.FileWrite.AttemptKey;
import dev.weir.workflow.provenance.Lineage.RunName;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.ResourceUse;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The queries that follow files back, each for many files. No connection is held between two
 * queries.
 */
final class LineageQueries {
  /** The most keys in one statement. */
  private static final int CHUNK = 200;

  /** The longest command that is returned, in characters. */
  private static final int MAX_COMMAND = 200_000;

  /** The most inputs of a chunk of tasks whose length and checksum are returned. */
  private static final int MAX_MEASURED_INPUTS = 500_000;

  /** The number of latest writes of one file that are considered. */
  private static final int MAX_WRITES_PER_FILE = 1_000;

  /**
   * The number of latest writes of all files together that are considered, besides the last one of
   * each file.
   */
  private static final int MAX_WRITES = 200_000;

  private final Database database;
  private final int maxPerFile;
  private final int maxTotal;

  LineageQueries(Database database) {
    this(database, MAX_WRITES_PER_FILE, MAX_WRITES);
  }

  /**
   * Creates the queries.
   *
   * @param maxPerFile the most writes of one file
   * @param maxTotal the most writes of all files together, at least one per file
   */
  LineageQueries(Database database, int maxPerFile, int maxTotal) {
    this.database = database;
    this.maxPerFile = maxPerFile;
    this.maxTotal = maxTotal;
  }

  /**
   * The writes of files by path, the last one first.
   *
   * @param truncated whether older writes were left out
   */
  record Writes(Map<String, List<FileWrite>> byPath, boolean truncated) {

    List<FileWrite> of(String path) {
      return byPath.getOrDefault(path, List.of());
    }
  }

  Writes writes(Collection<String> paths) {
    Map<String, List<FileWrite>> found = new HashMap<>();
    boolean truncated = false;
    int left = maxTotal;
    for (List<UUID> keys : Batches.of(paths.stream().map(NameHash::of).toList(), CHUNK)) {
      int limit = Math.max(keys.size(), left);
      List<RankedWrite> rows = database.read(handle -> writes(handle, keys, maxPerFile, limit));
      for (RankedWrite row : rows.subList(0, Math.min(limit, rows.size()))) {
        if (row.rank() <= maxPerFile) {
          FileWrite write = row.write();
          found.computeIfAbsent(write.path(), path -> new ArrayList<>()).add(write);
          left--;
        }
        truncated |= row.rank() > maxPerFile;
      }
      truncated |= rows.size() > limit;
    }
    return new Writes(found, truncated);
  }

  /**
   * A write of a file.
   *
   * @param rank its position, counted from the last write
   */
  private record RankedWrite(FileWrite write, int rank) {}

  /**
   * Returns one write more than wanted of each file, and one more in total, to detect whether there
   * are more.
   */
  private static List<RankedWrite> writes(
      Handle handle, List<UUID> keys, int maxPerFile, int limit) {
    return handle
        .createQuery(
            """
            SELECT * FROM (
              SELECT f.run_no, runs.run_id, runs.owner, f.path, a.task_key, a.attempt_no, a.dispatched, a.ended,
                u.bytes, u.crc32c, u.on_node,
                ROW_NUMBER() OVER (PARTITION BY f.path_key
                  ORDER BY a.ended DESC, f.run_no DESC, a.attempt_no DESC) AS place
              FROM run_files f
              JOIN runs ON runs.run_no = f.run_no
              JOIN task_files n
                ON n.run_no = f.run_no AND n.file_key = f.file_key AND n.direction = 'O'
              JOIN attempts a
                ON a.run_no = n.run_no AND a.task_key = n.task_key AND a.outcome = 'SUCCEEDED'
              LEFT JOIN attempt_files u
                ON u.run_no = a.run_no AND u.task_key = a.task_key
                  AND u.attempt_no = a.attempt_no AND u.direction = 'O'
                  AND u.file_key = f.file_key
              WHERE f.path_key IN (<keys>)
            ) placed
            WHERE place <= :each + 1
            ORDER BY place LIMIT :most
            """)
        .bindList("keys", keys)
        .bind("each", maxPerFile)
        .bind("most", limit + 1)
        .map((row, context) -> new RankedWrite(write(row), row.getInt("place")))
        .list();
  }

  private static FileWrite write(ResultSet row) throws SQLException {
    return new FileWrite(
        row.getLong("run_no"),
        RunRow.text(row, "run_id"),
        RunRow.text(row, "owner"),
        key(row, "task_key"),
        row.getInt("attempt_no"),
        RunRow.text(row, "path"),
        SqlTimestamps.read(row, "dispatched"),
        SqlTimestamps.read(row, "ended"),
        bytes(row),
        row.getString("crc32c"),
        row.getBoolean("on_node"));
  }

  private static UUID key(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(row.getObject(column, UUID.class), column);
  }

  private static @Nullable Long bytes(ResultSet row) throws SQLException {
    long bytes = row.getLong("bytes");
    return row.wasNull() ? null : bytes;
  }

  /**
   * An attempt and the files that it read.
   *
   * @param effort its resource usage; null if not known
   * @param inputs in the order of the task's declaration
   */
  record Attempt(
      AttemptKey key,
      String runId,
      String owner,
      String task,
      String type,
      List<String> command,
      Outcome outcome,
      String worker,
      String node,
      Instant dispatched,
      Instant ended,
      long runMillis,
      @Nullable ResourceUse effort,
      List<Input> inputs) {}

  /**
   * A file as an attempt read it.
   *
   * @param bytes its length; null if not known
   * @param crc32c its checksum; null if not known
   */
  record Input(String path, @Nullable Long bytes, @Nullable String crc32c) {}

  /**
   * Attempts, with at most the requested number of inputs.
   *
   * @param truncated whether there are more inputs
   */
  record Attempts(List<Attempt> list, boolean truncated) {}

  /**
   * Returns the attempts with these keys.
   *
   * @param inputs the most inputs of all attempts together; the rest is left out
   */
  Attempts attempts(Collection<AttemptKey> wanted, int inputs) {
    Map<Long, Set<UUID>> byRun = new LinkedHashMap<>();
    wanted.forEach(
        key -> byRun.computeIfAbsent(key.run(), run -> new LinkedHashSet<>()).add(key.task()));
    Set<AttemptKey> keys = new HashSet<>(wanted);
    List<Attempt> found = new ArrayList<>();
    int left = inputs;
    boolean truncated = false;
    for (Map.Entry<Long, Set<UUID>> run : byRun.entrySet()) {
      for (List<UUID> some : Batches.of(List.copyOf(run.getValue()), CHUNK)) {
        int limit = left;
        Attempts part = database.read(handle -> attempts(handle, run.getKey(), some, limit));
        for (Attempt attempt : part.list()) {
          if (keys.contains(attempt.key())) {
            found.add(attempt);
            left = Math.max(0, left - attempt.inputs().size());
          }
        }
        truncated |= part.truncated();
      }
    }
    return new Attempts(found, truncated);
  }

  private static Attempts attempts(Handle handle, long run, List<UUID> tasks, int limit) {
    Map<UUID, List<String>> declared = new HashMap<>();
    boolean truncated = declared(handle, run, tasks, limit, declared) > limit;
    Map<AttemptKey, Map<String, Input>> measured =
        declared.isEmpty() ? Map.of() : measured(handle, run, tasks);
    return new Attempts(
        attempts(
            handle,
            run,
            tasks,
            key -> inputs(declared.get(key.task()), measured.getOrDefault(key, Map.of()))),
        truncated);
  }

  private static List<Input> inputs(@Nullable List<String> declared, Map<String, Input> measured) {
    return declared == null
        ? List.of()
        : declared.stream()
            .map(path -> measured.getOrDefault(path, new Input(path, null, null)))
            .toList();
  }

  private static List<Attempt> attempts(
      Handle handle, long run, List<UUID> tasks, Function<AttemptKey, List<Input>> inputs) {
    return handle
        .createQuery(
            """
            SELECT runs.run_id, runs.owner, a.task_key, a.attempt_no, a.outcome, a.worker, a.node, a.dispatched, a.ended,
              a.run_ms, a.cpu_ms, a.peak_memory_bytes, t.task_id, t.task_type,
              CASE WHEN LENGTH(t.command) <= :longest THEN t.command END AS command
            FROM attempts a
            JOIN runs ON runs.run_no = a.run_no
            JOIN tasks t ON t.run_no = a.run_no AND t.task_key = a.task_key
            WHERE a.run_no = :run AND a.task_key IN (<tasks>)
            """)
        .bind("run", run)
        .bind("longest", MAX_COMMAND)
        .bindList("tasks", tasks)
        .map((row, context) -> attempt(row, run, inputs))
        .list();
  }

  private static Attempt attempt(ResultSet row, long run, Function<AttemptKey, List<Input>> inputs)
      throws SQLException {
    AttemptKey key = new AttemptKey(run, key(row, "task_key"), row.getInt("attempt_no"));
    return new Attempt(
        key,
        RunRow.text(row, "run_id"),
        RunRow.text(row, "owner"),
        RunRow.text(row, "task_id"),
        RunRow.text(row, "task_type"),
        command(row),
        Outcome.valueOf(RunRow.text(row, "outcome")),
        RunRow.text(row, "worker"),
        RunRow.text(row, "node"),
        SqlTimestamps.read(row, "dispatched"),
        SqlTimestamps.read(row, "ended"),
        row.getLong("run_ms"),
        UsageColumns.read(row),
        inputs.apply(key));
  }

  private static List<String> command(ResultSet row) throws SQLException {
    String words = row.getString("command");
    return words == null
        ? List.of("(a command of more than " + MAX_COMMAND + " characters)")
        : StringListColumn.of(words);
  }

  /** Returns the number of declared inputs, at most one more than the limit. */
  private static int declared(
      Handle handle, long run, List<UUID> tasks, int limit, Map<UUID, List<String>> declared) {
    List<Map.Entry<UUID, String>> names =
        handle
            .createQuery(
                """
                SELECT n.task_key, f.path
                FROM task_files n
                JOIN run_files f ON f.run_no = n.run_no AND f.file_key = n.file_key
                WHERE n.run_no = :run AND n.task_key IN (<tasks>) AND n.direction = 'I'
                ORDER BY n.task_key, n.place LIMIT :most
                """)
            .bind("run", run)
            .bindList("tasks", tasks)
            .bind("most", limit + 1)
            .map((row, context) -> Map.entry(key(row, "task_key"), RunRow.text(row, "path")))
            .list();
    names
        .subList(0, Math.min(limit, names.size()))
        .forEach(
            name ->
                declared
                    .computeIfAbsent(name.getKey(), task -> new ArrayList<>())
                    .add(name.getValue()));
    return names.size();
  }

  private static Map<AttemptKey, Map<String, Input>> measured(
      Handle handle, long run, List<UUID> tasks) {
    Map<AttemptKey, Map<String, Input>> measured = new HashMap<>();
    handle
        .createQuery(
            """
            SELECT u.task_key, u.attempt_no, f.path, u.bytes, u.crc32c
            FROM attempt_files u
            JOIN run_files f ON f.run_no = u.run_no AND f.file_key = u.file_key
            WHERE u.run_no = :run AND u.task_key IN (<tasks>) AND u.direction = 'I'
            LIMIT :most
            """)
        .bind("run", run)
        .bindList("tasks", tasks)
        .bind("most", MAX_MEASURED_INPUTS)
        .map(
            (row, context) ->
                Map.entry(
                    new AttemptKey(run, key(row, "task_key"), row.getInt("attempt_no")),
                    new Input(RunRow.text(row, "path"), bytes(row), row.getString("crc32c"))))
        .forEach(
            use ->
                measured
                    .computeIfAbsent(use.getKey(), attempt -> new HashMap<>())
                    .put(use.getValue().path(), use.getValue()));
    return measured;
  }

  Map<Long, RunName> runs(Collection<Long> numbers) {
    return numbers.isEmpty() ? Map.of() : database.read(handle -> runs(handle, numbers));
  }

  private static Map<Long, RunName> runs(Handle handle, Collection<Long> numbers) {
    Map<Long, RunName> found = new HashMap<>();
    for (List<Long> some : Batches.of(List.copyOf(numbers), CHUNK)) {
      handle
          .createQuery("SELECT " + RunRow.COLUMNS + " FROM runs WHERE run_no IN (<runs>)")
          .bindList("runs", some)
          .map(RunRow::read)
          .forEach(run -> found.put(run.number(), name(run)));
    }
    return found;
  }

  private static RunName name(RunRow run) {
    return new RunName(
        run.id(),
        run.owner(),
        run.head().workflow(),
        run.head().mode(),
        run.head().state(),
        run.head().standIn(),
        run.head().started(),
        run.head().ended());
  }
}
