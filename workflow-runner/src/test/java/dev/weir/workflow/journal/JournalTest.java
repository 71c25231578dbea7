package dev.weir.workflow.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.scheduler.api.DispatchRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Writes and reads records, and reports when they are written. */
class JournalTest extends JournalTestBase {

  @Test
  void recordsAreReadInOrder() throws IOException {
    List<DispatchRecord> records = List.of(ended("a", 1), lost("x", "y z\n\u6f22"), ended("a", 2));

    write(fs, 1, records.toArray(DispatchRecord[]::new));

    assertThat(read(fs, directory())).isEqualTo(records);
  }

  @Test
  void excusesOfAttemptsRoundTrip() throws IOException {
    DispatchRecord.AttemptEnded plain = (DispatchRecord.AttemptEnded) ended("a", 1);
    DispatchRecord excused =
        new DispatchRecord.AttemptEnded(plain.worker(), 1, 2, 3, plain.report(), true, true, null);

    write(fs, 1, plain, excused);

    assertThat(read(fs, directory())).containsExactly(plain, excused);
  }

  @Test
  void equalEventsAreTwoRecords() throws IOException {
    write(fs, 1, lost("x"), lost("x"));

    assertThat(read(fs, directory())).hasSize(2);
  }

  @Test
  void newRunHasNoRecords() throws IOException {
    assertThat(read(fs, directory())).isEmpty();
  }

  @Test
  void nextMasterWritesItsOwnFile() throws IOException {
    write(fs, 1, ended("a", 1));
    write(fs, 2, ended("b", 1));

    assertThat(read(fs, directory())).containsExactly(ended("a", 1), ended("b", 1));
    assertThat(journals()).hasSize(2);
  }

  @Test
  void recordsOfAnOpenJournalAreReadable() throws IOException {
    try (Journal journal = new Journal(fs, directory(), 1, Journal.PAUSE_MILLIS, () -> {})) {
      journal.start();
      journal.append(List.of(ended("a", 1)));

      await().untilAsserted(() -> assertThat(read(fs, directory())).hasSize(1));
    }
  }

  @Test
  void reportsWhenARecordIsWritten() throws Exception {
    try (Journal journal = new Journal(fs, directory(), 1, Journal.PAUSE_MILLIS, () -> {})) {
      journal.append(List.of(ended("a", 1)));
      CompletableFuture<Void> written = journal.written();
      assertThat(written).isNotDone();

      journal.start();

      written.get();
      assertThat(read(fs, directory())).containsExactly(ended("a", 1));
      journal.written().get();
      journal.append(List.of(ended("b", 1)));
      journal.written().get();
      assertThat(read(fs, directory())).hasSize(2);
    }
  }

  @Test
  void closeIsIdempotentAndNeedsNoStart() throws IOException {
    Journal journal = new Journal(fs, directory(), 1, Journal.PAUSE_MILLIS, () -> {});
    journal.close();
    journal.close();

    assertThat(journals()).isEmpty();
  }

  @Test
  void linesAreReadableJson() throws IOException {
    write(fs, 1, lost("x"));

    assertThat(Files.readString(journals().get(0), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"attempt\":1,\"number\":1,\"record\":{\"record\":\"files-lost\",\"files\":[\"x\"]}}\n");
  }

  @Test
  void continuesInAnotherFileAfterACut() throws Exception {
    try (Journal journal = new Journal(fs, directory(), 1, Journal.PAUSE_MILLIS, () -> {})) {
      journal.start();
      journal.append(List.of(ended("a", 1)));
      Journal.Cut cut = journal.cut().get();
      journal.append(List.of(ended("b", 1)));
      journal.written().get();

      assertThat(cut.last()).isEqualTo(1);
      assertThat(cut.bytes()).isEqualTo(Files.size(journals().get(0)));
      assertThat(journals()).extracting(file -> file.getFileName().toString()).endsWith(cut.next());
      assertThat(read(fs, directory())).containsExactly(ended("a", 1), ended("b", 1));
    }
  }

  @Test
  void journalContinuedByAnotherMasterIsNotCompacted() throws Exception {
    try (Journal journal = new Journal(fs, directory(), 1, Journal.PAUSE_MILLIS, () -> {})) {
      journal.start();
      journal.append(List.of(ended("a", 1)));
      Journal.Cut cut = journal.cut().get();
      write(fs, 2, ended("b", 1));

      assertThatThrownBy(() -> new JournalReader(fs, directory()).replace(cut, 1, Optional::of, 0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another ApplicationMaster");
      assertThat(read(fs, directory())).containsExactly(ended("a", 1), ended("b", 1));
    }
  }
}
