package dev.weir.service.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.service.database.Database;
import dev.weir.service.database.DatabaseSettings;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contents of the tables. */
class RunTablesTest implements QueriesContract {
  private static final RunKey KEY = new RunKey("ann", "r");
  private static final List<String> TABLES =
      List.of("runs", "run_files", "tasks", "task_files", "attempts", "attempt_files", "workers");

  private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
  private Handle keeper;
  private Database database;
  private RunStore store;

  @BeforeEach
  void open() {
    keeper = Jdbi.create(url).open();
    database =
        new Database(new DatabaseSettings(url, "", "", 2, Duration.ofSeconds(10)), Optional::empty);
    store = new RunStore(database, Clock.systemUTC(), (owner, rows) -> {});
  }

  @AfterEach
  void close() {
    database.close();
    keeper.close();
  }

  @Override
  public Database opened() {
    start();
    return database;
  }

  private void start() {
    database.start();
    Awaitility.await().until(() -> database.unavailableReason().isEmpty());
  }

  private void storeRun() {
    store.put(KEY, RunClient.head("/d", RunPhase.RUNNING));
    store.add(
        KEY,
        RunPart.ofTasks(
            List.of(),
            List.of(
                RunClient.task("t", List.of("a", "b", "c"), List.of("x")),
                RunClient.task("u", List.of("x"), List.of("y")))));
    store.add(
        KEY,
        RunPart.ofAttempts(List.of(RunClient.attempt("t", 1, 1), RunClient.attempt("u", 1, 9))));
  }

  @Test
  void removedRunLeavesNoRows() {
    start();
    storeRun();
    assertThat(count("attempts")).isEqualTo(2);
    assertThat(rowCount()).isEqualTo(2 + 6 + 5 + 2);
    assertThat(store.remove(KEY)).isTrue();
    assertThat(TABLES).allSatisfy(table -> assertThat(count(table)).as(table).isZero());
    assertThat(store.remove(KEY)).isFalse();
  }

  @Test
  void migratesRunsOfFirstVersion() {
    Flyway.configure(Database.class.getClassLoader())
        .dataSource(url, null, null)
        .locations("classpath:dev/weir/service/runs/migrations")
        .table("weir_schema_history")
        .target("1")
        .load()
        .migrate();
    keeper.execute(
        """
        INSERT INTO runs (run_id, owner, workflow, mode, state, data_dir, stand_in, started, heard)
        VALUES ('r', 'ann', 'w', 'weir', 'RUNNING', '/d', FALSE, CURRENT_TIMESTAMP,
          CURRENT_TIMESTAMP)
        """);
    keeper.execute(
        """
        INSERT INTO workers (run_no, worker_id, node, rack, started, ended)
        SELECT run_no, 'w', 'n', '/r', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP FROM runs
        """);

    start();

    assertThat(store.find(KEY).orElseThrow().head().workflow()).isEqualTo("w");
    assertThat(rowCount()).isEqualTo(1);
  }

  private int count(String table) {
    return keeper.createQuery("SELECT COUNT(*) FROM " + table).mapTo(Integer.class).one();
  }

  private int rowCount() {
    return keeper.createQuery("SELECT SUM(row_count) FROM runs").mapTo(Integer.class).one();
  }
}
