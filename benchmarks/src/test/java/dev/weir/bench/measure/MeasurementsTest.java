package dev.weir.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.weir.bench.series.SampleRuns;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The counters of links and the workers of a run. */
class MeasurementsTest {
  @Test
  void countsFromTheReadingBeforeTheFirstTask() throws IOException {
    CounterReadings readings = new CounterReadings();
    readings.add(SampleRuns.BEGIN.minusMillis(150), 1_000, 50);
    readings.add(SampleRuns.BEGIN.minusMillis(50), 1_200, 90);
    readings.add(SampleRuns.BEGIN.plusMillis(50), 5_000, 70);
    readings.add(SampleRuns.BEGIN.plusMillis(150), 6_000, 60);

    assertThat(readings.sentAt(SampleRuns.BEGIN)).isEqualTo(1_200);
    assertThat(readings.peakStorageSince(SampleRuns.BEGIN))
        .as("without earlier readings")
        .isEqualTo(70);
  }

  @Test
  void missingReadingsAreAnError() {
    CounterReadings readings = new CounterReadings();
    readings.add(SampleRuns.BEGIN.minusSeconds(60), 1_000, 0);
    readings.failed(new IOException("Connection refused"));

    assertThatIOException()
        .isThrownBy(() -> readings.sentAt(SampleRuns.BEGIN))
        .withMessageContaining("last read at 2026-11-22T02:59:10Z")
        .withRootCauseInstanceOf(IOException.class);
    assertThatIOException().isThrownBy(() -> new CounterReadings().sentAt(SampleRuns.BEGIN));
  }

  @Test
  void requiresAWorkerOnEachNodeFromTheStart() throws IOException {
    WorkerCheck.require(
        SampleRuns.record(1, List.of(SampleRuns.worker("n1", 3), SampleRuns.worker("n2", 0))), 2);
    assertThatIOException()
        .isThrownBy(
            () ->
                WorkerCheck.require(
                    SampleRuns.record(
                        1, List.of(SampleRuns.worker("n1", 3), SampleRuns.worker("n2", -1))),
                    2))
        .withMessageContaining("1 of 2 nodes");
    assertThatIOException()
        .as("two workers on one node")
        .isThrownBy(
            () ->
                WorkerCheck.require(
                    SampleRuns.record(
                        1, List.of(SampleRuns.worker("n1", 3), SampleRuns.worker("n1", 2))),
                    2));
  }
}
