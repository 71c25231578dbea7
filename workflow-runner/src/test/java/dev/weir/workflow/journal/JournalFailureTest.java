package dev.weir.workflow.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.session.FailingFlushFileSystem;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.junit.jupiter.api.Test;

/** Records that cannot be written. */
class JournalFailureTest extends JournalTestBase {

  @Test
  void failedWriteIsRepeatedInAnotherFileAndCountsOnce() throws IOException {
    FileSystem failing = opened(new FailingFlushFileSystem(1));

    write(failing, 1, ended("a", 1), ended("b", 1), lost("x"), ended("b", 2));

    assertThat(read(fs, directory()))
        .containsExactly(ended("a", 1), ended("b", 1), lost("x"), ended("b", 2));
    assertThat(journals()).hasSizeGreaterThan(1);
  }

  @Test
  void removedDirectoryIsNotCreatedAgain() throws IOException {
    org.apache.hadoop.fs.Path gone = new org.apache.hadoop.fs.Path(directory(), "gone");

    try (Journal journal = new Journal(fs, gone, 1, Journal.PAUSE_MILLIS, () -> {})) {
      journal.start();
      journal.append(List.of(ended("a", 1)));
    }

    assertThat(temp.resolve("gone")).doesNotExist();
  }

  @Test
  void futureOfAnUnwritableRecordFails() {
    org.apache.hadoop.fs.Path gone = new org.apache.hadoop.fs.Path(directory(), "gone");
    try (Journal journal = new Journal(fs, gone, 1, Journal.PAUSE_MILLIS, () -> {})) {
      journal.start();
      journal.append(List.of(ended("a", 1)));

      assertThat(journal.written()).failsWithin(Duration.ofMinutes(1));
    }
  }

  @Test
  void unwrittenRecordsAreWrittenBeforeLaterOnes() throws Exception {
    FailingFlushFileSystem failing = new FailingFlushFileSystem(Integer.MAX_VALUE);
    try (Journal journal =
        new Journal(opened(failing), directory(), 1, Journal.PAUSE_MILLIS, () -> {})) {
      journal.start();
      journal.append(List.of(ended("a", 1)));
      assertThat(journal.written()).failsWithin(Duration.ofMinutes(1));
      journal.append(List.of(ended("b", 1)));
      assertThat(journal.written()).failsWithin(Duration.ofMinutes(1));

      failing.failures().set(0);

      journal.append(List.of(ended("c", 1)));
      journal.written().get();
      assertThat(read(fs, directory()))
          .containsExactly(ended("a", 1), ended("b", 1), ended("c", 1));
    }
  }

  @Test
  void unwrittenRecordsAreRetriedWithoutNewOnes() throws Exception {
    FailingFlushFileSystem failing = new FailingFlushFileSystem(Integer.MAX_VALUE);
    failing.writes(false);
    try (Journal journal =
        new Journal(opened(failing), directory(), 1, Journal.PAUSE_MILLIS, () -> {})) {
      journal.start();
      journal.append(List.of(ended("a", 1)));
      assertThat(journal.written()).failsWithin(Duration.ofMinutes(1));
      assertThat(read(fs, directory())).isEmpty();

      failing.writes(true);
      failing.failures().set(0);

      await().untilAsserted(() -> assertThat(read(fs, directory())).hasSize(1));
    }
  }

  @Test
  void replacedMasterStartsNoOtherFile() throws Exception {
    FailingFlushFileSystem failing = new FailingFlushFileSystem(0);
    AtomicInteger checks = new AtomicInteger();
    InvocationRaisingIOE guard =
        () -> {
          checks.incrementAndGet();
          throw new IOException("replaced on purpose");
        };
    try (Journal journal =
        new Journal(opened(failing), directory(), 1, Journal.PAUSE_MILLIS, guard)) {
      journal.start();
      journal.append(List.of(ended("a", 1)));
      journal.written().get();
      assertThat(checks).as("the first file needs no check").hasValue(0);

      failing.failures().set(1);
      journal.append(List.of(ended("b", 1)));

      assertThat(journal.written()).failsWithin(Duration.ofMinutes(1));
      assertThat(checks).hasPositiveValue();
      assertThat(journals()).hasSize(1);
    }
  }
}
