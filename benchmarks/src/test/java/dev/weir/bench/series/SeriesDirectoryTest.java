package dev.weir.bench.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.weir.bench.report.FailureCounts;
import dev.weir.workflow.record.RunRecordCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeriesDirectoryTest {
  private static final SeriesParameters EIGHT =
      SeriesParameters.none().with("nodes", 8).with("link", "10mbit");
  private static final Session FIRST =
      new Session(1, Instant.parse("2026-11-22T03:00:00Z"), 1.19e6, 0.25, "abc");
  private static final PlannedRun WEIR = new PlannedRun("reduce-large-plain", "weir", 1);

  @TempDir private Path folder;

  private SeriesDirectory open(SeriesParameters parameters, boolean resume) throws IOException {
    return SeriesDirectory.open(folder.resolve("out"), parameters, resume);
  }

  private void makeOne() throws IOException {
    try (SeriesDirectory series = open(EIGHT, false)) {
      series.keep(FIRST);
      series.keep(SampleRuns.of(WEIR, 7.25));
      series.keep("reduce-large-plain", new LocalRunTime(1, 1, 0.5));
    }
  }

  @Test
  void aFileIsNoDirectory() throws IOException {
    Files.createFile(folder.resolve("out"));

    assertThatThrownBy(() -> open(EIGHT, false))
        .isInstanceOf(SeriesException.class)
        .hasMessageContaining("is a file", "--out");
  }

  @Test
  void whatWasKeptIsReadAgain() throws IOException {
    makeOne();

    try (SeriesDirectory series = open(EIGHT, true)) {
      assertThat(series.sessions()).containsExactly(FIRST);
      assertThat(series.runs("reduce-large-plain", RecordedRun.class))
          .containsExactly(SampleRuns.of(WEIR, 7.25));
      assertThat(series.locals("reduce-large-plain")).containsExactly(new LocalRunTime(1, 1, 0.5));
      assertThat(series.runs("gather-large-plain", RecordedRun.class)).isEmpty();
    }
  }

  @Test
  void whatFailedIsReadAgainAndIsNoRun() throws IOException {
    makeOne();
    FailedRun failed = new FailedRun(WEIR, "no worker on n3");
    try (SeriesDirectory series = open(EIGHT, true)) {
      series.keep(failed);
      series.keep(failed);
    }

    try (SeriesDirectory series = open(EIGHT, true)) {
      assertThat(series.failed("reduce-large-plain")).containsExactly(failed, failed);
      assertThat(series.runs("reduce-large-plain", RecordedRun.class)).hasSize(1);
      RecordedSeries<RecordedRun> kept =
          new RecordedSeries<>(series, List.of("reduce-large-plain"), RecordedRun.class);
      assertThat(FailureCounts.of(kept, "reduce-large-plain"))
          .containsExactly(entry("weir", new FailureCounts(2, 0, 0, 0)));
    }
  }

  @Test
  void aFailureTakesNoOthersPlaceWhenOneWasRemoved() throws IOException {
    makeOne();
    try (SeriesDirectory series = open(EIGHT, true)) {
      series.keep(new FailedRun(WEIR, "removed"));
      series.keep(new FailedRun(WEIR, "second"));
      Files.delete(folder.resolve("out/reduce-large-plain/failed/1.json"));

      series.keep(new FailedRun(WEIR, "third"));
      series.keep(new FailedRun(WEIR, "fourth"));

      assertThat(series.failed("reduce-large-plain"))
          .extracting(FailedRun::reason)
          .containsExactlyInAnyOrder("second", "third", "fourth");
    }
  }

  @Test
  void whatIsKnownOfARunIsReadAgain() throws IOException {
    RecordedRun known = SampleRuns.of(WEIR, 7.25);
    try (SeriesDirectory series = open(EIGHT, false)) {
      series.keep(known);

      assertThat(series.runs("reduce-large-plain", RecordedRun.class)).containsExactly(known);
    }
  }

  @Test
  void aRunIsStillARecordOfARun() throws IOException {
    makeOne();

    Path file = folder.resolve("out/reduce-large-plain/weir-1.json");
    assertThat(RunRecordCodec.read(file)).isEqualTo(SampleRuns.of(WEIR, 7.25).record());
  }

  @Test
  void aSeriesIsNotBegunAnewByMistake() throws IOException {
    makeOne();

    assertThatThrownBy(() -> open(EIGHT, false))
        .isInstanceOf(SeriesException.class)
        .hasMessageContaining("--resume")
        .hasMessageContaining("--out");
    // Nothing of it is lost or locked.
    try (SeriesDirectory series = open(EIGHT, true)) {
      assertThat(series.runs("reduce-large-plain", RecordedRun.class)).hasSize(1);
    }
  }

  @Test
  void anotherSeriesIsRefusedWithItsDifferences() throws IOException {
    makeOne();

    assertThatThrownBy(() -> open(EIGHT.with("nodes", 19).with("staged", true), true))
        .isInstanceOf(SeriesException.class)
        .hasMessageContaining("nodes is 8 there and 19 now")
        .hasMessageContaining("staged is nothing there and true now")
        .hasMessageNotContaining("10mbit");
  }

  @Test
  void whatNeverMadeARunDoesNotStandInTheWay() throws IOException {
    try (SeriesDirectory series = open(EIGHT, false)) {
      series.keepAbout("blast", "inputs of another size");
    }

    try (SeriesDirectory series = open(EIGHT.with("nodes", 19), false)) {
      assertThat(series.sessions()).isEmpty();
      assertThat(series.groups()).isEmpty();
    }
  }

  @Test
  void twoProcessesDoNotShareIt() throws IOException {
    try (SeriesDirectory series = open(EIGHT, false)) {
      assertThatThrownBy(() -> open(EIGHT, true))
          .isInstanceOf(SeriesException.class)
          .hasMessageContaining("Another process");
      assertThat(series.sessions()).isEmpty();
    }
  }

  @Test
  void whatAKilledProcessLeftIsGone() throws IOException {
    makeOne();
    Path out = folder.resolve("out");
    Path part = Files.writeString(out.resolve("reduce-large-plain/stock-r3-1.json.part"), "{\"ru");
    Path scratch = Files.createDirectories(out.resolve("scratch-1/back-end"));
    Path foreign = Files.writeString(out.resolve("notes.part"), "mine");

    try (SeriesDirectory series = open(EIGHT, true)) {
      assertThat(part).doesNotExist();
      assertThat(scratch).doesNotExist();
      assertThat(foreign).exists();
      assertThat(series.runs("reduce-large-plain", RecordedRun.class)).hasSize(1);
    }
  }

  @Test
  void aBrokenFileIsNamed() throws IOException {
    makeOne();
    Path file = folder.resolve("out/reduce-large-plain/weir-2.json");
    RunRecordCodec.write(SampleRuns.of(WEIR, 1).record(), file);

    try (SeriesDirectory series = open(EIGHT, true)) {
      assertThatIOException()
          .isThrownBy(() -> series.runs("reduce-large-plain", RecordedRun.class))
          .withMessageContaining("weir-2.json, bench");
    }
  }

  @Test
  void groupsAreThoseOfWhichSomethingWasSaid() throws IOException {
    try (SeriesDirectory series = open(EIGHT, false)) {
      series.keepAbout("montage-25", "129 tasks");
      series.keep(SampleRuns.of(WEIR, 1));

      assertThat(series.groups()).isEqualTo(List.of("montage-25"));
      assertThat(series.about("montage-25")).isEqualTo("129 tasks");
    }
  }
}
