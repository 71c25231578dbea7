package dev.weir.bench.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLoopTest {
  private static final RunOrder ORDER =
      RunOrder.of(
          List.of(
              new RunOrder.Group("reduce", List.of("stock-r1", "weir")),
              new RunOrder.Group("gather", List.of("stock-r1", "weir"))),
          2);
  private static final List<String> GROUPS = List.of("reduce", "gather");
  private static final RunLoop.Maker<RecordedRun> WRONG =
      planned -> {
        throw new WrongResultException("wrong bytes");
      };

  @TempDir private Path folder;
  private final StringWriter said = new StringWriter();
  private final List<PlannedRun> asked = new ArrayList<>();
  private SeriesDirectory directory;
  private int written;
  private long nanos;

  @BeforeEach
  void open() throws IOException {
    directory = SeriesDirectory.open(folder, SeriesParameters.none(), true);
    directory.keep(new Session(1, Instant.EPOCH, 0, 0, "abc"));
  }

  @AfterEach
  void close() throws IOException {
    directory.close();
  }

  private RecordedSeries<RecordedRun> run(TimeBudget budget, RunLoop.Maker<RecordedRun> maker)
      throws Exception {
    RecordedSeries<RecordedRun> kept = new RecordedSeries<>(directory, GROUPS, RecordedRun.class);
    run(kept, budget, maker);
    return kept;
  }

  private void run(
      RecordedSeries<RecordedRun> kept, TimeBudget budget, RunLoop.Maker<RecordedRun> maker)
      throws Exception {
    new RunLoop<>(directory, kept, () -> written++, new PrintWriter(said))
        .run(
            ORDER,
            budget,
            planned -> {
              asked.add(planned);
              nanos += TimeUnit.SECONDS.toNanos(25);
              return maker.make(planned);
            });
  }

  private TimeBudget minutes(int minutes) {
    return new TimeBudget(minutes, () -> nanos);
  }

  @Test
  void everyRunIsMadeOnceAndKept() throws Exception {
    RecordedSeries<RecordedRun> kept = run(minutes(0), planned -> SampleRuns.of(planned, 1));

    assertThat(asked).isEqualTo(ORDER.runs());
    assertThat(kept.remaining(ORDER)).isEmpty();
    assertThat(directory.runs("gather", RecordedRun.class)).hasSize(4);
    assertThat(folder.resolve("gather/report.html")).isNotEmptyFile();
    // After each repetition of each group, and at the end.
    assertThat(written).isEqualTo(5);
  }

  @Test
  void noRunIsBegunWhenTheTimeIsOverAndTheRestIsMadeNextTime() throws Exception {
    RecordedSeries<RecordedRun> kept = run(minutes(1), planned -> SampleRuns.of(planned, 1));
    assertThat(asked).as("at 0, 25 and 50 s").isEqualTo(ORDER.runs().subList(0, 3));
    assertThat(kept.remaining(ORDER))
        .hasValueSatisfying(text -> assertThat(text).startsWith("5 of 8"));

    asked.clear();
    run(minutes(0), planned -> SampleRuns.of(planned, 1));
    assertThat(asked).isEqualTo(ORDER.runs().subList(3, 8));
  }

  @Test
  void whatFailsIsSaidAndTriedOnceMoreWhenAllOthersAreMade() throws Exception {
    PlannedRun bad = ORDER.runs().get(1);
    List<PlannedRun> withAnother = new ArrayList<>(ORDER.runs());
    withAnother.add(bad);
    RecordedSeries<RecordedRun> kept =
        run(
            minutes(0),
            planned -> {
              if (planned.equals(bad) && asked.size() < 5) {
                throw new IOException("no worker on n3");
              }
              return SampleRuns.of(planned, 1);
            });
    assertThat(asked).isEqualTo(withAnother);
    assertThat(said.toString()).contains(bad.toString(), "no worker on n3");
    assertThat(kept.failures()).isEmpty();
    assertThat(kept.remaining(ORDER)).isEmpty();
  }

  @Test
  void whatFailsTwiceIsMadeNextTime() throws Exception {
    PlannedRun bad = ORDER.runs().get(1);
    RecordedSeries<RecordedRun> kept =
        run(
            minutes(0),
            planned -> {
              if (planned.equals(bad)) {
                throw new IllegalStateException("no task has succeeded");
              }
              return SampleRuns.of(planned, 1);
            });
    assertThat(asked).hasSize(9);
    assertThat(said.toString()).contains("IllegalStateException: no task has succeeded");
    assertThat(kept.failures()).containsExactly(bad);
    assertThat(directory.failed(bad.group()))
        .as("tables of later sessions tell it")
        .extracting(FailedRun::id)
        .containsExactly(bad, bad);
    assertThat(kept.remaining(ORDER))
        .hasValueSatisfying(text -> assertThat(text).contains("1 of them were tried and failed"));

    asked.clear();
    run(minutes(0), planned -> SampleRuns.of(planned, 1));
    assertThat(asked).containsExactly(bad);
  }

  @Test
  void aGroupThatAlwaysFailsIsPassedOverAndTheOthersAreMade() throws Exception {
    RunOrder order =
        RunOrder.of(
            List.of(
                new RunOrder.Group("reduce", List.of("stock-r3", "stock-r1", "weir")),
                new RunOrder.Group("gather", List.of("stock-r3", "stock-r1", "weir"))),
            2);
    RecordedSeries<RecordedRun> kept = new RecordedSeries<>(directory, GROUPS, RecordedRun.class);
    new RunLoop<>(directory, kept, () -> written++, new PrintWriter(said))
        .run(
            order,
            minutes(0),
            planned -> {
              asked.add(planned);
              if (planned.group().equals("reduce")) {
                throw new IOException("cannot be run");
              }
              return SampleRuns.of(planned, 1);
            });

    assertThat(asked).hasSize(3 + 6);
    assertThat(kept.runs("gather")).hasSize(6);
    assertThat(said.toString()).contains("reduce is skipped");
    assertThat(kept.failures()).hasSize(3);
  }

  @Test
  void threeFailuresInARowEndIt() throws Exception {
    assertThatIOException()
        .isThrownBy(
            () ->
                run(
                    minutes(0),
                    planned -> {
                      throw new IOException("HDFS is gone");
                    }))
        .withMessageContaining("3 runs")
        .withMessageContaining("HDFS is gone");
    assertThat(asked).hasSize(3);
    assertThat(written).as("the tables are written all the same").isPositive();
  }

  @Test
  void whatIsBrokenOffWithTheJvmHasNotFailed() throws IOException {
    RecordedSeries<RecordedRun> kept = new RecordedSeries<>(directory, GROUPS, RecordedRun.class);
    RunLoop<RecordedRun> loop =
        new RunLoop<>(directory, kept, () -> written++, new PrintWriter(said), () -> true);

    assertThatThrownBy(
            () ->
                loop.run(
                    ORDER,
                    minutes(0),
                    planned -> {
                      asked.add(planned);
                      throw new IOException("HDFS is gone");
                    }))
        .isInstanceOf(SeriesException.class)
        .hasMessageContaining("--resume");
    assertThat(asked).hasSize(1);
    assertThat(directory.failed(asked.get(0).group())).isEmpty();
    assertThat(kept.failures()).isEmpty();
  }

  @Test
  void wrongResultsEndItAtOnce() throws IOException {
    assertThatThrownBy(() -> run(minutes(0), WRONG)).isInstanceOf(WrongResultException.class);
    assertThat(asked).hasSize(1);
    assertThat(directory.failed(asked.get(0).group()))
        .extracting(FailedRun::reason)
        .containsExactly("wrong bytes");
  }

  @Test
  void wrongResultsAreToldAlsoWhereTheFailureCannotBeKept() throws IOException {
    PlannedRun first = ORDER.runs().get(0);
    Files.writeString(directory.of(first.group()).resolve("failed"), "where failures would go");

    assertThatThrownBy(() -> run(minutes(0), WRONG))
        .isInstanceOf(WrongResultException.class)
        .hasMessage("wrong bytes")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(asked).hasSize(1);
    assertThat(said.toString()).contains("cannot be written", "failed");
  }

  @Test
  void wrongResultsAreToldAlsoWhereTablesCannotBeWritten() throws IOException {
    RecordedSeries<RecordedRun> kept = new RecordedSeries<>(directory, GROUPS, RecordedRun.class);
    RunLoop<RecordedRun> loop =
        new RunLoop<>(
            directory,
            kept,
            () -> {
              throw new IOException("No space left on device");
            },
            new PrintWriter(said));

    assertThatThrownBy(() -> loop.run(ORDER, minutes(0), WRONG))
        .isInstanceOf(WrongResultException.class)
        .satisfies(
            e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("No space left on device"));
    assertThat(directory.failed(ORDER.runs().get(0).group())).hasSize(1);
  }

  @Test
  void withNothingLeftNothingIsRun() throws Exception {
    RecordedSeries<RecordedRun> kept = run(minutes(0), planned -> SampleRuns.of(planned, 1));
    asked.clear();

    run(kept, minutes(0), planned -> SampleRuns.of(planned, 1));

    assertThat(asked).isEmpty();
  }
}
