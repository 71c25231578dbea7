package dev.weir.service.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.service.database.Database;
import dev.weir.service.database.NameHash;
import dev.weir.service.runs.FileWrite.AttemptKey;
import dev.weir.service.runs.LineageQueries.Attempt;
import dev.weir.workflow.provenance.AttemptEntry;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import dev.weir.workflow.record.ResourceUse;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queries that every kind of database must answer. Each test has its own run. */
interface QueriesContract {

  /** Returns the database under test, open and with its tables. */
  Database opened();

  private static RunKey description(Database database, String id) {
    RunKey key = new RunKey("ann", id);
    RunStore store = new RunStore(database, Clock.systemUTC(), (owner, rows) -> {});
    store.put(key, RunClient.head("/" + id, RunPhase.RUNNING));
    store.add(
        key,
        RunPart.ofTasks(
            List.of(),
            List.of(
                RunClient.task("t", List.of("a", "b", "c"), List.of("x")),
                RunClient.task("u", List.of("x"), List.of("y")))));
    add(database, key, RunClient.attempt("t", 1, 1), RunClient.attempt("u", 1, 9));
    return key;
  }

  private static void add(Database database, RunKey key, AttemptEntry... attempts) {
    new RunStore(database, Clock.systemUTC(), (owner, rows) -> {})
        .add(key, RunPart.ofAttempts(List.of(attempts)));
  }

  private static long number(Database database, RunKey key) {
    return new RunStore(database, Clock.systemUTC(), (owner, rows) -> {})
        .find(key)
        .orElseThrow()
        .number();
  }

  private static int inputs(LineageQueries.Attempts attempts) {
    return attempts.list().stream().mapToInt(attempt -> attempt.inputs().size()).sum();
  }

  @Test
  default void limitsInputs() {
    Database database = opened();
    long run = number(database, description(database, "inputs"));
    LineageQueries queries = new LineageQueries(database);
    List<AttemptKey> both =
        List.of(new AttemptKey(run, NameHash.of("t"), 1), new AttemptKey(run, NameHash.of("u"), 1));
    assertThat(queries.attempts(both, 4).truncated()).isFalse();
    assertThat(inputs(queries.attempts(both, 4))).isEqualTo(4);
    assertThat(queries.attempts(both, 3).truncated()).isTrue();
    assertThat(inputs(queries.attempts(both, 3))).isEqualTo(3);
    assertThat(queries.attempts(both, 0).list()).as("the attempts themselves").hasSize(2);
  }

  @Test
  default void limitsWritesToLatest() {
    Database database = opened();
    RunKey key = description(database, "again");
    add(
        database,
        key,
        RunClient.attempt("t", 2, 3),
        RunClient.attempt("t", 3, 5),
        RunClient.attempt("u", 2, 20));
    List<String> paths = List.of("/again/x", "/again/y");

    LineageQueries.Writes all = new LineageQueries(database, 3, 5).writes(paths);
    LineageQueries.Writes lastTwo = new LineageQueries(database, 2, 5).writes(paths);
    LineageQueries.Writes lastThree = new LineageQueries(database, 3, 3).writes(paths);
    LineageQueries.Writes lastOfEach = new LineageQueries(database, 3, 0).writes(paths);

    assertThat(all.truncated()).isFalse();
    assertThat(all.of("/again/x")).extracting(FileWrite::attempt).containsExactly(3, 2, 1);
    assertThat(all.of("/again/y")).extracting(FileWrite::attempt).containsExactly(2, 1);
    assertThat(lastTwo.truncated()).isTrue();
    assertThat(lastTwo.of("/again/x")).extracting(FileWrite::attempt).containsExactly(3, 2);
    assertThat(lastTwo.of("/again/y")).extracting(FileWrite::attempt).containsExactly(2, 1);
    assertThat(lastThree.truncated()).isTrue();
    assertThat(lastThree.of("/again/x")).first().extracting(FileWrite::attempt).isEqualTo(3);
    assertThat(lastThree.of("/again/y")).first().extracting(FileWrite::attempt).isEqualTo(2);
    assertThat(lastOfEach.truncated()).isTrue();
    assertThat(lastOfEach.of("/again/x")).extracting(FileWrite::attempt).containsExactly(3);
    assertThat(lastOfEach.of("/again/y")).extracting(FileWrite::attempt).containsExactly(2);
  }

  @Test
  default void storesUsageAndKeepsUnknownUsageNull() {
    Database database = opened();
    RunKey key = description(database, "effort");
    ResourceUse much = new ResourceUse(7_500, 3L << 30);
    ResourceUse brief = new ResourceUse(2, 0);
    add(
        database,
        key,
        RunClient.withEffort(RunClient.attempt("t", 2, 3), much),
        RunClient.withEffort(RunClient.attempt("t", 3, 5), brief));
    long run = number(database, key);

    List<Attempt> attempts =
        new LineageQueries(database)
            .attempts(
                List.of(
                    new AttemptKey(run, NameHash.of("t"), 1),
                    new AttemptKey(run, NameHash.of("t"), 2),
                    new AttemptKey(run, NameHash.of("t"), 3)),
                0)
            .list();

    assertThat(attempts)
        .extracting(attempt -> attempt.key().attempt(), Attempt::effort)
        .containsExactlyInAnyOrder(tuple(1, null), tuple(2, much), tuple(3, brief));
    AttemptTotals totals = database.read(handle -> AttemptTotals.read(handle, run));
    assertThat(totals)
        .extracting(AttemptTotals::cpuMillis, AttemptTotals::peakMemory)
        .containsExactly(7_502L, 3L << 30);
    double file =
        database.read(
            handle ->
                handle
                    .createQuery(
                        "SELECT AVG(peak_memory_bytes) FROM attempts WHERE run_no = " + run)
                    .mapTo(Double.class)
                    .one());
    assertThat(file).as("of those whose memory was seen").isEqualTo(3L << 30);
  }
}
