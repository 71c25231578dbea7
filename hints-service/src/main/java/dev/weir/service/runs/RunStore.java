package dev.weir.service.runs;

import dev.weir.service.database.Database;
import dev.weir.service.database.SqlFailures;
import dev.weir.service.database.SqlTimestamps;
import dev.weir.workflow.provenance.RunHead;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.ObjLongConsumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * Stores runs in the database. Writes are idempotent, because entries have keys. A writer locks the
 * row of its run, so that several instances of the service do not mix their writes.
 */
final class RunStore {
  /** The number of tasks or files that are removed at a time. */
  private static final int BATCH = 500;

  private static final List<List<String>> TABLES_BY_KEY =
      List.of(
          List.of("task_key", "attempt_files", "attempts", "task_files", "tasks"),
          List.of("file_key", "run_files"));

  private final Database database;
  private final Clock clock;
  private final ObjLongConsumer<String> rowLimit;

  /** Creates a store. The limit refuses the rows that an owner would have by throwing. */
  RunStore(Database database, Clock clock, ObjLongConsumer<String> rowLimit) {
    this.database = database;
    this.clock = clock;
    this.rowLimit = rowLimit;
  }

  /**
   * Creates a run or updates its state. A run that has ended does not start again, and of two start
   * times the first is kept.
   *
   * @return whether it was created
   * @throws MovedException if it is known with another directory
   */
  boolean put(RunKey key, RunHead head) {
    try {
      return database.inTransaction(handle -> putOnce(handle, key, head));
    } catch (JdbiException e) {
      if (!SqlFailures.isDuplicate(e)) {
        throw e;
      }
      // Another instance has created it meanwhile.
      return database.inTransaction(handle -> putOnce(handle, key, head));
    }
  }

  private boolean putOnce(Handle handle, RunKey key, RunHead head) {
    Optional<RunRow> stored = locked(handle, key);
    if (stored.isEmpty()) {
      rowLimit.accept(key.owner(), rows(handle, key.owner()) + 1);
      bind(
              handle.createUpdate(
                  """
                  INSERT INTO runs (run_id, owner, workflow, mode, state, data_dir, stand_in,
                    started, ended, failure, heard)
                  VALUES (:id, :owner, :workflow, :mode, :state, :dir, :standIn,
                    :started, :ended, :failure, :heard)
                  """),
              head,
              head.started())
          .bind("id", key.id())
          .bind("owner", key.owner())
          .bind("dir", head.dataDir())
          .execute();
      return true;
    }
    RunRow known = stored.get();
    if (!known.head().dataDir().equals(head.dataDir())) {
      throw new MovedException(key.id(), known.head().dataDir());
    }
    if (head.state() == RunPhase.RUNNING && known.head().state() != RunPhase.RUNNING) {
      updateLastReport(handle, known.number());
      return false;
    }
    Instant first = known.head().started();
    bind(
            handle.createUpdate(
                """
                UPDATE runs SET workflow = :workflow, mode = :mode, state = :state,
                  stand_in = :standIn, started = :started, ended = :ended, failure = :failure,
                  heard = :heard
                WHERE run_no = :run
                """),
            head,
            first.isBefore(head.started()) ? first : head.started())
        .bind("run", known.number())
        .execute();
    return false;
  }

  private <S extends SqlStatement<S>> S bind(S statement, RunHead head, Instant started) {
    return statement
        .bind("workflow", head.workflow())
        .bind("mode", head.mode())
        .bind("state", head.state().name())
        .bind("standIn", head.standIn())
        .bind("started", SqlTimestamps.of(started))
        .bind("ended", SqlTimestamps.of(head.ended()))
        .bind("failure", head.failure())
        .bind("heard", SqlTimestamps.of(clock.instant()));
  }

  private void updateLastReport(Handle handle, long run) {
    handle
        .createUpdate("UPDATE runs SET heard = :heard WHERE run_no = :run")
        .bind("heard", SqlTimestamps.of(clock.instant()))
        .bind("run", run)
        .execute();
  }

  /** Locks the run against other writers until the end of the transaction. */
  private static Optional<RunRow> locked(Handle handle, RunKey key) {
    return row(handle, key, " FOR UPDATE");
  }

  private static Optional<RunRow> row(Handle handle, RunKey key, String lock) {
    return handle
        .createQuery(
            "SELECT " + RunRow.COLUMNS + " FROM runs WHERE owner = :owner AND run_id = :id" + lock)
        .bind("owner", key.owner())
        .bind("id", key.id())
        .map(RunRow::read)
        .findOne();
  }

  /** Returns the number of rows of a user's runs, including those of the runs themselves. */
  private static long rows(Handle handle, String owner) {
    return handle
        .createQuery("SELECT COALESCE(SUM(row_count), 0) + COUNT(*) FROM runs WHERE owner = :owner")
        .bind("owner", owner)
        .mapTo(Long.class)
        .one();
  }

  /**
   * Adds to a run.
   *
   * @return whether the run exists
   */
  boolean add(RunKey key, RunPart part) {
    return database.inTransaction(
        handle -> {
          Optional<RunRow> run = locked(handle, key);
          if (run.isEmpty()) {
            return false;
          }
          long added = new RunPartWriter(handle, run.get()).write(part);
          handle
              .createUpdate(
                  """
                  UPDATE runs SET heard = :heard, row_count = row_count + :added
                  WHERE run_no = :run
                  """)
              .bind("heard", SqlTimestamps.of(clock.instant()))
              .bind("added", added)
              .bind("run", run.get().number())
              .execute();
          if (added > 0) {
            rowLimit.accept(key.owner(), rows(handle, key.owner()));
          }
          return true;
        });
  }

  Optional<RunRow> find(RunKey key) {
    return database.read(handle -> row(handle, key, ""));
  }

  List<String> owners(String id) {
    return database.read(
        handle ->
            handle
                .createQuery("SELECT owner FROM runs WHERE run_id = :id ORDER BY owner LIMIT 100")
                .bind("id", id)
                .mapTo(String.class)
                .list());
  }

  /**
   * Returns runs, the last created first.
   *
   * @param owner only this user's; null for all
   * @param before only runs with a lower number; null for the first page
   */
  List<RunRow> list(@Nullable String owner, @Nullable Long before, int limit) {
    StringBuilder sql = new StringBuilder("SELECT " + RunRow.COLUMNS + " FROM runs WHERE 1 = 1");
    if (owner != null) {
      sql.append(" AND runs.owner = :owner");
    }
    if (before != null) {
      sql.append(" AND runs.run_no < :before");
    }
    sql.append(" ORDER BY runs.run_no DESC LIMIT :limit");
    return database.read(
        handle -> {
          Query query = handle.createQuery(sql.toString()).bind("limit", limit);
          if (owner != null) {
            query.bind("owner", owner);
          }
          if (before != null) {
            query.bind("before", before);
          }
          return query.map(RunRow::read).list();
        });
  }

  AttemptTotals totals(long run) {
    return database.read(handle -> AttemptTotals.read(handle, run));
  }

  /**
   * Removes the records of a run in several statements, because a run of a million rows takes
   * longer than one statement may. An interrupted removal can be repeated. The files in HDFS are
   * not touched.
   *
   * @return whether the run existed
   */
  boolean remove(RunKey key) {
    Optional<RunRow> found = find(key);
    if (found.isEmpty()) {
      return false;
    }
    long run = found.get().number();
    for (List<String> tables : TABLES_BY_KEY) {
      boolean more = true;
      while (more) {
        more = database.inTransaction(handle -> removeBatch(handle, run, tables));
      }
    }
    return database.inTransaction(
        handle ->
            handle.createUpdate("DELETE FROM runs WHERE run_no = :run").bind("run", run).execute()
                > 0);
  }

  /** Removes rows from the tables with that key. The last table determines the keys. */
  private static boolean removeBatch(Handle handle, long run, List<String> tables) {
    String key = tables.get(0);
    String keyTable = tables.get(tables.size() - 1);
    List<UUID> keys =
        handle
            .createQuery(
                "SELECT " + key + " FROM " + keyTable + " WHERE run_no = :run LIMIT :piece")
            .bind("run", run)
            .bind("piece", BATCH)
            .mapTo(UUID.class)
            .list();
    if (keys.isEmpty()) {
      return false;
    }
    for (String table : tables.subList(1, tables.size())) {
      handle
          .createUpdate("DELETE FROM " + table + " WHERE run_no = :run AND " + key + " IN (<some>)")
          .bind("run", run)
          .bindList("some", keys)
          .execute();
    }
    return true;
  }

  /** A run is known with another directory. The record would mix two runs. */
  static final class MovedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MovedException(String id, String directory) {
      super(
          "run '"
              + id
              + "' is known with the data-dir "
              + directory
              + "; a run has one directory, use another id");
    }
  }
}
