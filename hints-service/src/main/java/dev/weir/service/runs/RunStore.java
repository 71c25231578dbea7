package dev.weir.service.runs;

import dev.weir.workflow.provenance.RunHead;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * Runs in the database. What is told twice counts once: entries have keys of their own, and whoever
 * writes to a run holds its row, so that several instances of the service do not mix their writes.
 */
final class RunStore {
  private final Database database;
  private final Clock clock;

  RunStore(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Creates a run, or says how far it is. A run that has ended does not begin again, and what came
   * first of two beginnings counts.
   *
   * @param allowed refuses a run of another by throwing
   * @return whether it was created
   * @throws MovedException when it is known with another directory
   */
  boolean put(String id, String owner, RunHead head, Consumer<RunRow> allowed) {
    try {
      return database.inTransaction(handle -> putOnce(handle, id, owner, head, allowed));
    } catch (JdbiException e) {
      if (!SqlFailures.isDuplicate(e)) {
        throw e;
      }
      // Another instance has created it meanwhile.
      return database.inTransaction(handle -> putOnce(handle, id, owner, head, allowed));
    }
  }

  private boolean putOnce(
      Handle handle, String id, String owner, RunHead head, Consumer<RunRow> allowed) {
    Optional<RunRow> present = locked(handle, id);
    if (present.isEmpty()) {
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
          .bind("id", id)
          .bind("owner", owner)
          .bind("dir", head.dataDir())
          .execute();
      return true;
    }
    RunRow known = present.get();
    allowed.accept(known);
    if (!known.head().dataDir().equals(head.dataDir())) {
      throw new MovedException(id, known.head().dataDir());
    }
    if (head.state() == RunPhase.RUNNING && known.head().state() != RunPhase.RUNNING) {
      heard(handle, known.number());
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
        .bind("started", Moments.of(started))
        .bind("ended", Moments.of(head.ended()))
        .bind("failure", head.failure())
        .bind("heard", Moments.of(clock.instant()));
  }

  private void heard(Handle handle, long run) {
    handle
        .createUpdate("UPDATE runs SET heard = :heard WHERE run_no = :run")
        .bind("heard", Moments.of(clock.instant()))
        .bind("run", run)
        .execute();
  }

  /** While the transaction lasts nobody else writes to the run. */
  private static Optional<RunRow> locked(Handle handle, String id) {
    return handle
        .createQuery("SELECT " + RunRow.COLUMNS + " FROM runs WHERE run_id = :id FOR UPDATE")
        .bind("id", id)
        .map(RunRow::read)
        .findOne();
  }

  /**
   * Adds to a run.
   *
   * @param allowed refuses a run of another by throwing
   * @return whether there is such a run
   */
  boolean add(String id, RunPart part, Consumer<RunRow> allowed) {
    return database.inTransaction(
        handle -> {
          Optional<RunRow> run = locked(handle, id);
          if (run.isEmpty()) {
            return false;
          }
          allowed.accept(run.get());
          new PartWriter(handle, run.get()).write(part);
          heard(handle, run.get().number());
          return true;
        });
  }

  /** A run, if it is known. */
  Optional<RunRow> find(String id) {
    return database.read(
        handle ->
            handle
                .createQuery("SELECT " + RunRow.COLUMNS + " FROM runs WHERE run_id = :id")
                .bind("id", id)
                .map(RunRow::read)
                .findOne());
  }

  /**
   * Runs, those that were heard of last first.
   *
   * @param owner only this user's; null for all
   * @param after the id of the last one of the page before; null for the first page
   */
  List<RunRow> list(@Nullable String owner, @Nullable String after, int limit) {
    StringBuilder sql = new StringBuilder("SELECT " + RunRow.COLUMNS + " FROM runs WHERE 1 = 1");
    if (owner != null) {
      sql.append(" AND runs.owner = :owner");
    }
    if (after != null) {
      sql.append(" AND runs.run_no < (SELECT r.run_no FROM runs r WHERE r.run_id = :after)");
    }
    sql.append(" ORDER BY runs.run_no DESC LIMIT :limit");
    return database.read(
        handle -> {
          Query query = handle.createQuery(sql.toString()).bind("limit", limit);
          if (owner != null) {
            query.bind("owner", owner);
          }
          if (after != null) {
            query.bind("after", after);
          }
          return query.map(RunRow::read).list();
        });
  }

  /** What the attempts of a run come to. */
  RunSums sums(long run) {
    return database.read(handle -> RunSums.read(handle, run));
  }

  /**
   * Forgets a run. The files in HDFS are not touched.
   *
   * @param allowed refuses a run of another by throwing
   * @return whether there was one
   */
  boolean remove(String id, Consumer<RunRow> allowed) {
    return database.inTransaction(
        handle -> {
          Optional<RunRow> run = locked(handle, id);
          run.ifPresent(allowed);
          return run.isPresent()
              && handle
                      .createUpdate("DELETE FROM runs WHERE run_no = :run")
                      .bind("run", run.get().number())
                      .execute()
                  > 0;
        });
  }

  /** A run is known with another directory: the record would be of two. */
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
