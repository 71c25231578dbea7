package dev.weir.workflow.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.delivery.FakeRunRecordSink.Behaviour;
import dev.weir.workflow.provenance.RunHead;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import dev.weir.workflow.provenance.TaskEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunRecordSpoolTest {
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

  @TempDir private Path directory;
  private final FakeRunRecordSink sink = new FakeRunRecordSink();
  private FileSystem fs;
  private RunRecordSpool spool;

  @BeforeEach
  void make() throws Exception {
    fs = new RawLocalFileSystem();
    fs.initialize(directory.toUri(), new Configuration(false));
    spool = at(Duration.ZERO);
    spool.write("run_1", head(), parts());
  }

  /** Returns the spool after the given time. */
  private RunRecordSpool at(Duration later) {
    Clock clock = Clock.offset(Clock.systemUTC(), later);
    return new RunRecordSpool(fs, new org.apache.hadoop.fs.Path(directory.toString()), clock);
  }

  @Test
  void recordsWaitForAnUpgradeOfTheService() throws Exception {
    sink.behaviour = Behaviour.OLDER;

    RunRecordSpool.Delivered first = deliver(Duration.ZERO);
    RunRecordSpool.Delivered later = deliver(Duration.ofDays(29));

    assertThat(first.runs()).isZero();
    assertThat(first.problems()).hasSize(1);
    assertThat(first.problems().get(0))
        .contains("run_1.jsonl", "'effort' is no field here", "upgrade the service", "waits in");
    assertThat(later.problems()).hasSize(1);
    assertThat(spooled()).containsExactly("run_1.jsonl");

    sink.behaviour = Behaviour.AVAILABLE;
    assertThat(deliver(Duration.ofDays(29)).runs()).isEqualTo(1);
    assertThat(sink.tasks).containsOnlyKeys("t");
    assertThat(spooled()).isEmpty();
  }

  @Test
  void expiredRecordsAreDeliveredOnRequest() throws Exception {
    sink.behaviour = Behaviour.OLDER;

    assertThat(deliver(Duration.ofDays(31)).problems().get(0)).contains("it is kept as");

    assertThat(spooled()).containsExactly("run_1.jsonl.refused");
    assertThat(deliver(Duration.ofDays(31)).problems()).as("put aside").isEmpty();
    assertThat(spool.deliverRefused(sink).problems().get(0)).contains("it is kept as");
    assertThat(spooled()).containsExactly("run_1.jsonl.refused");
    sink.behaviour = Behaviour.AVAILABLE;
    assertThat(spool.deliverRefused(sink).runs()).isEqualTo(1);
    assertThat(sink.tasks).containsOnlyKeys("t");
    assertThat(spooled()).isEmpty();
  }

  @Test
  void recordsOfALaterVersionDoNotBlockOthers() throws Exception {
    String known = Files.readString(directory.resolve("run_1.jsonl"), UTF_8);
    String later = known.replace("{\"run\":\"run_1\"", "{\"mood\":\"good\",\"run\":\"run_0\"");
    Files.writeString(directory.resolve("run_0.jsonl"), later, UTF_8);

    RunRecordSpool.Delivered delivered = deliver(Duration.ZERO);

    assertThat(delivered.runs()).isEqualTo(1);
    assertThat(delivered.problems()).hasSize(1);
    assertThat(delivered.problems().get(0)).contains("run_0.jsonl", "mood", "upgrade");
    assertThat(spooled()).containsExactly("run_0.jsonl");
  }

  @Test
  void otherFilesAreMovedAside() throws Exception {
    Files.writeString(directory.resolve("run_0.jsonl"), "no JSON\n", UTF_8);

    deliver(Duration.ZERO);

    assertThat(spooled()).containsExactly("run_0.jsonl.refused");
  }

  private RunRecordSpool.Delivered deliver(Duration later) throws IOException {
    return at(later).deliver(sink, () -> true);
  }

  private List<String> spooled() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static RunHead head() {
    return new RunHead(
        "flow",
        "weir",
        RunPhase.SUCCEEDED,
        "/data",
        false,
        START,
        START.plusSeconds(60),
        null,
        null);
  }

  private static Iterator<RunPart> parts() {
    TaskEntry task =
        new TaskEntry("t", "type", List.of("run"), List.of(), List.of("o"), List.of(), 1, 0);
    return List.of(RunPart.ofTasks(List.of(), List.of(task))).iterator();
  }
}
