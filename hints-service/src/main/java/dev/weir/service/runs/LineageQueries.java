package dev.weir.service.runs;

import dev.weir.service.runs.Writing.AttemptKey;
import dev.weir.workflow.provenance.Lineage.RunName;
import dev.weir.workflow.record.Outcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** What is asked of the database to follow files back; many at a time. */
final class LineageQueries {
  /** So many keys go into one statement. */
  private static final int CHUNK = 500;

  private final Handle handle;

  LineageQueries(Handle handle) {
    this.handle = handle;
  }

  /** Who has written files of these paths, the last first. */
  Map<String, List<Writing>> writings(Collection<String> paths) {
    Map<String, List<Writing>> found = new HashMap<>();
    for (List<UUID> keys : chunks(paths.stream().map(Keys::of).toList())) {
      handle
          .createQuery(
              """
              SELECT f.run_no, runs.owner, f.path, a.task_key, a.attempt_no, a.dispatched, a.ended,
                u.bytes, u.crc32c
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
              ORDER BY a.ended DESC, f.run_no DESC, a.attempt_no DESC
              """)
          .bindList("keys", keys)
          .map((row, context) -> writing(row))
          .forEach(
              writing ->
                  found.computeIfAbsent(writing.path(), path -> new ArrayList<>()).add(writing));
    }
    return found;
  }

  private static Writing writing(ResultSet row) throws SQLException {
    return new Writing(
        row.getLong("run_no"),
        RunRow.text(row, "owner"),
        key(row, "task_key"),
        row.getInt("attempt_no"),
        RunRow.text(row, "path"),
        Moments.read(row, "dispatched"),
        Moments.read(row, "ended"),
        bytes(row),
        row.getString("crc32c"));
  }

  private static UUID key(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(row.getObject(column, UUID.class), column);
  }

  private static @Nullable Long bytes(ResultSet row) throws SQLException {
    long bytes = row.getLong("bytes");
    return row.wasNull() ? null : bytes;
  }

  /**
   * An attempt, with what it read.
   *
   * @param inputs in the order of the task's declaration
   */
  record Attempt(
      AttemptKey key,
      String task,
      String type,
      List<String> command,
      Outcome outcome,
      String worker,
      String node,
      Instant dispatched,
      Instant ended,
      long runMillis,
      List<Input> inputs) {}

  /**
   * A file as an attempt read it.
   *
   * @param bytes its length; null when it is not known
   * @param crc32c its checksum; null when it is not known
   */
  record Input(String path, @Nullable Long bytes, @Nullable String crc32c) {}

  /** The attempts of these keys. */
  List<Attempt> attempts(Collection<AttemptKey> wanted) {
    Map<Long, Set<UUID>> byRun = new HashMap<>();
    wanted.forEach(key -> byRun.computeIfAbsent(key.run(), run -> new HashSet<>()).add(key.task()));
    Set<AttemptKey> keys = new HashSet<>(wanted);
    List<Attempt> found = new ArrayList<>();
    byRun.forEach(
        (run, tasks) -> {
          for (List<UUID> some : chunks(List.copyOf(tasks))) {
            Map<AttemptKey, Map<String, Input>> measured = measured(run, some);
            Map<UUID, List<String>> declared = declared(run, some);
            attempts(run, some).stream()
                .filter(attempt -> keys.contains(attempt.key()))
                .forEach(attempt -> found.add(withInputs(attempt, declared, measured)));
          }
        });
    return found;
  }

  private static Attempt withInputs(
      Attempt attempt,
      Map<UUID, List<String>> declared,
      Map<AttemptKey, Map<String, Input>> measured) {
    Map<String, Input> known = measured.getOrDefault(attempt.key(), Map.of());
    List<Input> inputs = new ArrayList<>();
    for (String path : declared.getOrDefault(attempt.key().task(), List.of())) {
      inputs.add(known.getOrDefault(path, new Input(path, null, null)));
    }
    return new Attempt(
        attempt.key(),
        attempt.task(),
        attempt.type(),
        attempt.command(),
        attempt.outcome(),
        attempt.worker(),
        attempt.node(),
        attempt.dispatched(),
        attempt.ended(),
        attempt.runMillis(),
        inputs);
  }

  private List<Attempt> attempts(long run, List<UUID> tasks) {
    return handle
        .createQuery(
            """
            SELECT a.task_key, a.attempt_no, a.outcome, a.worker, a.node, a.dispatched, a.ended,
              a.run_ms, t.task_id, t.task_type, t.command
            FROM attempts a
            JOIN tasks t ON t.run_no = a.run_no AND t.task_key = a.task_key
            WHERE a.run_no = :run AND a.task_key IN (<tasks>)
            """)
        .bind("run", run)
        .bindList("tasks", tasks)
        .map(
            (row, context) ->
                new Attempt(
                    new AttemptKey(run, key(row, "task_key"), row.getInt("attempt_no")),
                    RunRow.text(row, "task_id"),
                    RunRow.text(row, "task_type"),
                    Words.of(RunRow.text(row, "command")),
                    Outcome.valueOf(RunRow.text(row, "outcome")),
                    RunRow.text(row, "worker"),
                    RunRow.text(row, "node"),
                    Moments.read(row, "dispatched"),
                    Moments.read(row, "ended"),
                    row.getLong("run_ms"),
                    List.of()))
        .list();
  }

  private Map<UUID, List<String>> declared(long run, List<UUID> tasks) {
    Map<UUID, List<String>> declared = new HashMap<>();
    handle
        .createQuery(
            """
            SELECT n.task_key, f.path
            FROM task_files n
            JOIN run_files f ON f.run_no = n.run_no AND f.file_key = n.file_key
            WHERE n.run_no = :run AND n.task_key IN (<tasks>) AND n.direction = 'I'
            ORDER BY n.task_key, n.place
            """)
        .bind("run", run)
        .bindList("tasks", tasks)
        .map((row, context) -> Map.entry(key(row, "task_key"), RunRow.text(row, "path")))
        .forEach(
            name ->
                declared
                    .computeIfAbsent(name.getKey(), task -> new ArrayList<>())
                    .add(name.getValue()));
    return declared;
  }

  private Map<AttemptKey, Map<String, Input>> measured(long run, List<UUID> tasks) {
    Map<AttemptKey, Map<String, Input>> measured = new HashMap<>();
    handle
        .createQuery(
            """
            SELECT u.task_key, u.attempt_no, f.path, u.bytes, u.crc32c
            FROM attempt_files u
            JOIN run_files f ON f.run_no = u.run_no AND f.file_key = u.file_key
            WHERE u.run_no = :run AND u.task_key IN (<tasks>) AND u.direction = 'I'
            """)
        .bind("run", run)
        .bindList("tasks", tasks)
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

  /** The runs of these keys. */
  Map<Long, RunName> runs(Collection<Long> numbers) {
    Map<Long, RunName> found = new HashMap<>();
    for (List<Long> some : chunks(List.copyOf(numbers))) {
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

  private static <T> List<List<T>> chunks(List<T> all) {
    List<List<T>> chunks = new ArrayList<>();
    for (int i = 0; i < all.size(); i += CHUNK) {
      chunks.add(all.subList(i, Math.min(all.size(), i + CHUNK)));
    }
    return chunks;
  }
}
