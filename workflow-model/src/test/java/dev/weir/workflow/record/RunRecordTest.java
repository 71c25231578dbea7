package dev.weir.workflow.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.record.TaskRecord.Phases;
import dev.weir.workflow.record.TaskRecord.Traffic;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunRecordTest {

  private static final Instant T0 = Instant.parse("2026-01-02T03:04:05Z");

  private static final String JSON =
      "{\"run-id\":\"r1\",\"workflow\":\"w\",\"mode\":\"weir\",\"state\":\"SUCCEEDED\","
          + "\"started\":\"2026-01-02T03:04:05Z\",\"ended\":\"2026-01-02T03:04:15Z\","
          + "\"workers\":[{\"id\":\"w1\",\"node\":\"n1\",\"rack\":\"/r\","
          + "\"started\":\"2026-01-02T03:04:05Z\",\"ended\":\"2026-01-02T03:04:15Z\"}],"
          + "\"tasks\":[{\"task\":\"a\",\"type\":\"mAdd\",\"attempt\":1,\"worker\":\"w1\","
          + "\"node\":\"n1\",\"outcome\":\"FAILED\",\"exit-code\":3,"
          + "\"ready\":\"2026-01-02T03:04:05Z\",\"dispatched\":\"2026-01-02T03:04:06.000000001Z\","
          + "\"stage-in-local\":\"PT0S\",\"stage-in-remote\":\"PT0S\",\"run\":\"PT0S\","
          + "\"stage-out\":\"PT0S\",\"input-bytes-local\":1,\"input-bytes-remote\":2,"
          + "\"output-bytes\":3,\"output-bytes-remote\":4,\"message\":\"no such file\"},"
          + "{\"task\":\"a\",\"type\":\"mAdd\",\"attempt\":2,\"worker\":\"w1\","
          + "\"node\":\"n1\",\"outcome\":\"SUCCEEDED\",\"exit-code\":0,"
          + "\"ready\":\"2026-01-02T03:04:07Z\",\"dispatched\":\"2026-01-02T03:04:08Z\","
          + "\"stage-in-local\":\"PT0.1S\",\"stage-in-remote\":\"PT0.2S\",\"run\":\"PT1M\","
          + "\"stage-out\":\"PT0.000000001S\",\"input-bytes-local\":10,\"input-bytes-remote\":20,"
          + "\"output-bytes\":30,\"output-bytes-remote\":40,\"input-bytes-cached\":50,"
          + "\"cpu\":\"PT0.009S\",\"peak-memory-bytes\":8,\"node-cache-bytes\":7,"
          + "\"node-disk-free-bytes\":6,"
          + "\"placement\":{\"decision\":\"best-score\",\"input-bytes\":80,"
          + "\"bytes-per-second\":7,\"candidates\":[{\"node\":\"n1\",\"bytes\":60},"
          + "{\"node\":\"n2\",\"bytes\":5,\"wait-millis\":1500}]},"
          + "\"inputs\":[{\"file\":\"i\",\"bytes\":30,\"crc32c\":\"00e306ff\","
          + "\"nodes\":{\"n2\":4,\"n3\":5},\"caches\":{\"n4\":6}}],"
          + "\"outputs\":[{\"file\":\"o\",\"bytes\":5,\"on-node\":true}]}]}";

  private static RunRecord run() {
    return withMessage("no such file");
  }

  /** Creates a run whose first attempt fails with a message. */
  private static RunRecord withMessage(String message) {
    TaskRecord failed =
        TaskRecord.builder("a", "mAdd", 1)
            .worker("w1", "n1")
            .outcome(Outcome.FAILED, 3)
            .times(T0, T0.plusSeconds(1).plusNanos(1))
            .traffic(new Traffic(1, 2, 3, 4))
            .message(message)
            .build();
    TaskRecord succeeded =
        TaskRecord.builder("a", "mAdd", 2)
            .worker("w1", "n1")
            .outcome(Outcome.SUCCEEDED, 0)
            .times(T0.plusSeconds(2), T0.plusSeconds(3))
            .phases(
                new Phases(
                    Duration.ofMillis(100),
                    Duration.ofMillis(200),
                    Duration.ofMinutes(1),
                    Duration.ofNanos(1)))
            .traffic(new Traffic(10, 20, 30, 40, 50))
            .files(
                List.of(
                    new FileRecord(
                        "i", 30, 0x00e306ffL, Map.of("n2", 4L, "n3", 5L), Map.of("n4", 6L), false)),
                List.of(new FileRecord("o", 5, Checksum.UNKNOWN, Map.of(), Map.of(), true)))
            .placement(
                new PlacementReason(
                    PlacementReason.Decision.BEST_SCORE,
                    80,
                    7,
                    List.of(
                        new PlacementReason.Candidate("n1", 60, 0),
                        new PlacementReason.Candidate("n2", 5, 1_500))))
            .effort(new ResourceUse(9, 8))
            .fill(new NodeFill(7, 6))
            .build();
    return new RunRecord(
        "r1",
        "w",
        "weir",
        RunState.SUCCEEDED,
        T0,
        T0.plusSeconds(10),
        List.of(new WorkerRecord("w1", "n1", "/r", T0, T0.plusSeconds(10))),
        List.of(failed, succeeded));
  }

  @Test
  void writesAndReadsExactly(@TempDir Path dir) throws IOException {
    assertThat(RunRecordCodec.toJson(run())).isEqualTo(JSON);
    assertThat(RunRecordCodec.fromJson(JSON, "here")).isEqualTo(run());

    Path file = dir.resolve("run.json");
    RunRecordCodec.write(run(), file);
    assertThat(RunRecordCodec.read(file)).isEqualTo(run());
  }

  @Test
  void unpairedSurrogatesDoNotPreventWriting(@TempDir Path dir) throws IOException {
    RunRecord run = withMessage("cut\ud83d...");
    Path file = dir.resolve("run.json");

    RunRecordCodec.write(run, file);
    assertThat(RunRecordCodec.read(file)).isEqualTo(withMessage("cut?..."));
    try (OutputStream out = Files.newOutputStream(file)) {
      RunRecordCodec.write(run, out);
    }
    assertThat(RunRecordCodec.read(file)).isEqualTo(withMessage("cut?..."));

    RunRecord whole = withMessage("gr\u00fc\u00df \ud83d\ude00".repeat(5_000));
    try (OutputStream out = Files.newOutputStream(file)) {
      RunRecordCodec.write(whole, out);
    }
    assertThat(RunRecordCodec.read(file)).isEqualTo(whole);
  }

  @Test
  void readsCacheTrafficOfOlderRecords() throws IOException {
    String json =
        JSON.replace(
            ",\"workers\"",
            ",\"caches\":{\"bytes-between\":7,\"bytes-ahead\":5,\"bytes-ahead-used\":3},\"workers\"");

    assertThat(RunRecordCodec.fromJson(json, "here").caches()).isEqualTo(new CacheTraffic(7));
  }

  @Test
  void writesCacheTraffic() throws IOException {
    RunRecord run = run().with(new CacheTraffic(7));
    String json = JSON.replace(",\"workers\"", ",\"caches\":{\"bytes-between\":7},\"workers\"");

    assertThat(RunRecordCodec.toJson(run)).isEqualTo(json);
    assertThat(RunRecordCodec.fromJson(json, "here")).isEqualTo(run);
    assertThatThrownBy(() -> RunRecordCodec.fromJson(json.replace(":7}", ":-7}"), "here"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("here: /caches: ")
        .hasMessageContaining("-7 bytes between");
  }

  @Test
  void writesDeletedFiles() throws IOException {
    RunRecord run = run().with(new DeletedFiles(7, 5_000_000_000L, 3));

    assertThat(RunRecordCodec.toJson(run))
        .contains(",\"deleted\":{\"files\":7,\"bytes\":5000000000,\"left\":3},\"workers\"");
    assertThat(RunRecordCodec.fromJson(RunRecordCodec.toJson(run), "here")).isEqualTo(run);
    assertThat(RunRecordCodec.toJson(run())).doesNotContain("deleted");
  }

  @Test
  void ignoresUnknownKeys() throws IOException {
    String newer = JSON.replace("\"attempt\":1", "\"attempt\":1,\"colour\":\"blue\"");

    assertThat(RunRecordCodec.fromJson(newer, "here")).isEqualTo(run());
  }

  @Test
  void sumsUpAttempts() {
    RunTotals totals = run().totals();

    assertThat(totals.makespan()).isEqualTo(Duration.ofSeconds(10));
    assertThat(totals.tasks()).isEqualTo(1);
    assertThat(totals.attempts()).isEqualTo(2);
    assertThat(totals.unsuccessfulAttempts()).isEqualTo(1);
    assertThat(totals.traffic()).isEqualTo(new Traffic(11, 22, 33, 44, 50));
    assertThat(totals.localShare()).isEqualTo(61.0 / 83);
    assertThat(run().tasks().get(1).ended()).isEqualTo(T0.plusSeconds(63).plusNanos(300_000_001));
  }

  @Test
  void reportsThePlaceOfErrors() {
    refused("\"attempt\":2", "\"attempt\":0").withMessageContaining("here: /tasks/1: ");
    refused("\"attempt\":2", "\"attempt\":99999999999").withMessageContaining("/tasks/1/attempt");
    refused("\"PT1M\"", "\"a minute\"").withMessageContaining("/tasks/1/run: 'a minute'");
    refused("\"FAILED\"", "\"BROKEN\"").withMessageContaining("/tasks/0/outcome: 'BROKEN'");
    refused("\"rack\":\"/r\",", "").withMessageContaining("/workers/0/rack: missing");
    refused("\"workers\":[", "\"workers\":3,\"x\":[")
        .withMessageContaining("/workers: 3 is found where a list is expected");
    refused("}]}]}", "").withMessageContaining("here:1:");
    refused("\"00e306ff\"", "\"e306ff\"")
        .withMessageContaining("/tasks/1/inputs/0/crc32c: 'e306ff'");
    refused("\"bytes\":5", "\"bytes\":-5").withMessageContaining("/tasks/1/outputs/0: ");
    refused("\"message\":", "\"cpu\":\"PT-1S\",\"peak-memory-bytes\":1,\"message\":")
        .withMessageContaining("here: /tasks/0: ");
  }

  private static ThrowableAssertAlternative<IOException> refused(String part, String replacement) {
    return assertThatIOException()
        .isThrownBy(() -> RunRecordCodec.fromJson(JSON.replace(part, replacement), "here"));
  }

  @Test
  void refusesInvalidValues() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Traffic(0, -1, 0, 0))
        .withMessageContaining("remote -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WorkerRecord("w", "n", "/r", T0, T0.minusSeconds(1)))
        .withMessageContaining("before it starts");
  }
}
