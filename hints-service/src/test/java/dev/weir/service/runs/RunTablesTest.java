package dev.weir.service.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.service.runs.Writing.AttemptKey;
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

/** What is in the tables. */
class RunTablesTest {
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
        new Database(
            new DatabaseSettings(url, "", "", 2, Duration.ofSeconds(10)),
            Optional::empty,
            Clock.systemUTC());
    store = new RunStore(database, Clock.systemUTC(), (owner, rows) -> {});
  }

  @AfterEach
  void close() {
    database.close();
    keeper.close();
  }

  private void start() {
    database.start();
    Awaitility.await().until(() -> database.trouble().isEmpty());
  }

  private void tellOfARun() {
    store.put(KEY, RunCalls.head("/d", RunPhase.RUNNING));
    store.add(
        KEY,
        RunPart.ofTasks(
            List.of(),
            List.of(
                RunCalls.task("t", List.of("a", "b", "c"), List.of("x")),
                RunCalls.task("u", List.of("x"), List.of("y")))));
    store.add(
        KEY, RunPart.ofAttempts(List.of(RunCalls.attempt("t", 1, 1), RunCalls.attempt("u", 1, 9))));
  }

  @Test
  void anAnswerHasAsManyInputsAsWereAskedFor() {
    start();
    tellOfARun();
    LineageQueries queries = new LineageQueries(database);
    long run = store.find(KEY).orElseThrow().number();
    List<AttemptKey> both =
        List.of(new AttemptKey(run, Keys.of("t"), 1), new AttemptKey(run, Keys.of("u"), 1));
    assertThat(queries.attempts(both, 4).cut()).isFalse();
    assertThat(inputs(queries.attempts(both, 4))).isEqualTo(4);
    assertThat(queries.attempts(both, 3).cut()).isTrue();
    assertThat(inputs(queries.attempts(both, 3))).isEqualTo(3);
    assertThat(queries.attempts(both, 0).list()).as("the attempts themselves").hasSize(2);
  }

  @Test
  void ofWhatIsWrittenOverAgainAndAgainTheLastWritingsAreLookedAt() {
    start();
    tellOfARun();
    store.add(
        KEY,
        RunPart.ofAttempts(
            List.of(
                RunCalls.attempt("t", 2, 3),
                RunCalls.attempt("t", 3, 5),
                RunCalls.attempt("u", 2, 20))));
    List<String> paths = List.of("/d/x", "/d/y");

    LineageQueries.Writings all = new LineageQueries(database, 3, 5).writings(paths);
    LineageQueries.Writings lastTwo = new LineageQueries(database, 2, 5).writings(paths);
    LineageQueries.Writings lastThree = new LineageQueries(database, 3, 3).writings(paths);
    LineageQueries.Writings lastOfEach = new LineageQueries(database, 3, 0).writings(paths);

    assertThat(all.cut()).isFalse();
    assertThat(all.of("/d/x")).extracting(Writing::attempt).containsExactly(3, 2, 1);
    assertThat(all.of("/d/y")).extracting(Writing::attempt).containsExactly(2, 1);
    assertThat(lastTwo.cut()).isTrue();
    assertThat(lastTwo.of("/d/x")).extracting(Writing::attempt).containsExactly(3, 2);
    assertThat(lastTwo.of("/d/y")).extracting(Writing::attempt).containsExactly(2, 1);
    assertThat(lastThree.cut()).isTrue();
    assertThat(lastThree.of("/d/x")).first().extracting(Writing::attempt).isEqualTo(3);
    assertThat(lastThree.of("/d/y")).first().extracting(Writing::attempt).isEqualTo(2);
    assertThat(lastOfEach.cut()).isTrue();
    assertThat(lastOfEach.of("/d/x")).extracting(Writing::attempt).containsExactly(3);
    assertThat(lastOfEach.of("/d/y")).extracting(Writing::attempt).containsExactly(2);
  }

  private static int inputs(LineageQueries.Attempts attempts) {
    return attempts.list().stream().mapToInt(attempt -> attempt.inputs().size()).sum();
  }

  @Test
  void ofARunThatIsForgottenNothingIsLeft() {
    start();
    tellOfARun();
    assertThat(count("attempts")).isEqualTo(2);
    assertThat(rowCount()).isEqualTo(2 + 6 + 5 + 2);
    assertThat(store.remove(KEY)).isTrue();
    assertThat(TABLES).allSatisfy(table -> assertThat(count(table)).as(table).isZero());
    assertThat(store.remove(KEY)).isFalse();
  }

  @Test
  void runsOfTheVersionBeforeAreKept() {
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
