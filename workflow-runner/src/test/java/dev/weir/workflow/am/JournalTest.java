package dev.weir.workflow.am;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.dispatch.WorkerInfo;
import dev.weir.workflow.protocol.StoredFile;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

  @TempDir private Path temp;
  private FileSystem fs;

  @BeforeEach
  void openFileSystem() throws IOException {
    fs = opened(new RawLocalFileSystem());
  }

  private static FileSystem opened(FileSystem files) throws IOException {
    files.initialize(URI.create("file:///"), new Configuration(false));
    return files;
  }

  private org.apache.hadoop.fs.Path directory() {
    return new org.apache.hadoop.fs.Path(temp.toUri());
  }

  private static DispatchRecord ended(String task, int attempt) {
    return new DispatchRecord.AttemptEnded(
        new WorkerInfo("w1", "n1", "/rack"),
        1,
        2,
        3,
        new TaskReport(
            task,
            attempt,
            Result.SUCCEEDED,
            0,
            "",
            "a \"quoted\"\nend of \u00e9t\u00e9",
            List.of(),
            List.of(new StoredFile("f", 7, Map.of("n1", 7L))),
            new Usage(1, 2, 3, 4, 5, 6, 7, 8)));
  }

  private static DispatchRecord lost(String... files) {
    return new DispatchRecord.FilesLost(List.of(files));
  }

  private void write(FileSystem files, int attempt, DispatchRecord... records) {
    try (Journal journal = new Journal(files, directory(), attempt)) {
      journal.start();
      for (DispatchRecord record : records) {
        journal.append(List.of(record));
      }
    }
  }

  private List<Path> journals() throws IOException {
    try (Stream<Path> files = Files.list(temp)) {
      return files.sorted().toList();
    }
  }

  @Test
  void recordsComeBackInTheirOrder() throws IOException {
    List<DispatchRecord> records = List.of(ended("a", 1), lost("x", "y z\n\u6f22"), ended("a", 2));

    write(fs, 1, records.toArray(DispatchRecord[]::new));

    assertThat(Journal.read(fs, directory())).isEqualTo(records);
  }

  @Test
  void whatAnAttemptIsExcusedForComesBack() throws IOException {
    DispatchRecord.AttemptEnded plain = (DispatchRecord.AttemptEnded) ended("a", 1);
    DispatchRecord excused =
        new DispatchRecord.AttemptEnded(plain.worker(), 1, 2, 3, plain.report(), true);

    write(fs, 1, plain, excused);

    assertThat(Journal.read(fs, directory())).containsExactly(plain, excused);
  }

  @Test
  void theSameHappeningTwiceIsTwoRecords() throws IOException {
    write(fs, 1, lost("x"), lost("x"));

    assertThat(Journal.read(fs, directory())).hasSize(2);
  }

  @Test
  void aRunThatBeginsHasNoRecords() throws IOException {
    assertThat(Journal.read(fs, directory())).isEmpty();
  }

  @Test
  void anotherAttemptGoesOnInAFileOfItsOwn() throws IOException {
    write(fs, 1, ended("a", 1));
    write(fs, 2, ended("b", 1));

    assertThat(Journal.read(fs, directory())).containsExactly(ended("a", 1), ended("b", 1));
    assertThat(journals()).hasSize(2);
  }

  @Test
  void recordsAreThereForReadersWhileTheJournalIsOpen() throws IOException {
    try (Journal journal = new Journal(fs, directory(), 1)) {
      journal.start();
      journal.append(List.of(ended("a", 1)));

      await().untilAsserted(() -> assertThat(Journal.read(fs, directory())).hasSize(1));
    }
  }

  @Test
  void aTornEndCostsNoMoreThanItsRecord() throws IOException {
    write(fs, 1, ended("a", 1), ended("b", 1));
    Path file = journals().get(0);
    byte[] all = Files.readAllBytes(file);
    write(fs, 2, ended("c", 1));

    for (int length = all.length - 2; length > 0; length--) {
      Files.write(file, java.util.Arrays.copyOf(all, length));
      List<DispatchRecord> read = Journal.read(fs, directory());
      assertThat(read).as("%d bytes", length).endsWith(ended("c", 1));
      assertThat(read).as("%d bytes", length).doesNotContain(ended("b", 1));
      assertThat(read.size()).as("%d bytes", length).isBetween(1, 2);
    }
  }

  @Test
  void whatIsNoJournalIsLeftAlone() throws IOException {
    Files.writeString(temp.resolve("plan.json"), "{}");
    write(fs, 1, ended("a", 1));
    Files.writeString(
        temp.resolve("journal-0002-000001.jsonl"), "nonsense", StandardOpenOption.CREATE);

    assertThat(Journal.read(fs, directory())).containsExactly(ended("a", 1));
  }

  @Test
  void aWriteThatFailsIsMadeAgainInAnotherFileAndCountsOnce() throws IOException {
    FileSystem failing = opened(new FailingFiles(1));

    write(failing, 1, ended("a", 1), ended("b", 1), lost("x"), ended("b", 2));

    assertThat(Journal.read(fs, directory()))
        .containsExactly(ended("a", 1), ended("b", 1), lost("x"), ended("b", 2));
    assertThat(journals()).hasSizeGreaterThan(1);
  }

  @Test
  void aDirectoryThatWasRemovedIsNotMadeAgain() throws IOException {
    org.apache.hadoop.fs.Path gone = new org.apache.hadoop.fs.Path(directory(), "gone");

    try (Journal journal = new Journal(fs, gone, 1)) {
      journal.start();
      journal.append(List.of(ended("a", 1)));
    }

    assertThat(temp.resolve("gone")).doesNotExist();
  }

  @Test
  void saysWhenWhatWasAppendedIsWritten() throws Exception {
    try (Journal journal = new Journal(fs, directory(), 1)) {
      journal.append(List.of(ended("a", 1)));
      CompletableFuture<Void> written = journal.written();
      assertThat(written).isNotDone();

      journal.start();

      written.get();
      assertThat(Journal.read(fs, directory())).containsExactly(ended("a", 1));
      journal.written().get();
      journal.append(List.of(ended("b", 1)));
      journal.written().get();
      assertThat(Journal.read(fs, directory())).hasSize(2);
    }
  }

  @Test
  void saysWhenWhatWasAppendedCannotBeWritten() {
    org.apache.hadoop.fs.Path gone = new org.apache.hadoop.fs.Path(directory(), "gone");
    try (Journal journal = new Journal(fs, gone, 1)) {
      journal.start();
      journal.append(List.of(ended("a", 1)));

      assertThat(journal.written()).failsWithin(Duration.ofMinutes(1));
    }
  }

  @Test
  void whatCannotBeWrittenNowIsWrittenBeforeWhatComesLater() throws Exception {
    FailingFiles failing = new FailingFiles(Integer.MAX_VALUE);
    try (Journal journal = new Journal(opened(failing), directory(), 1)) {
      journal.start();
      journal.append(List.of(ended("a", 1)));
      assertThat(journal.written()).failsWithin(Duration.ofMinutes(1));
      journal.append(List.of(ended("b", 1)));
      assertThat(journal.written()).failsWithin(Duration.ofMinutes(1));

      failing.failures().set(0);

      journal.append(List.of(ended("c", 1)));
      journal.written().get();
      assertThat(Journal.read(fs, directory()))
          .containsExactly(ended("a", 1), ended("b", 1), ended("c", 1));
    }
  }

  @Test
  void whatCouldNotBeWrittenIsTriedAgainThoughNobodyAsks() throws Exception {
    FailingFiles failing = new FailingFiles(Integer.MAX_VALUE);
    failing.writes(false);
    try (Journal journal = new Journal(opened(failing), directory(), 1)) {
      journal.start();
      journal.append(List.of(ended("a", 1)));
      assertThat(journal.written()).failsWithin(Duration.ofMinutes(1));
      assertThat(Journal.read(fs, directory())).isEmpty();

      failing.writes(true);
      failing.failures().set(0);

      await().untilAsserted(() -> assertThat(Journal.read(fs, directory())).hasSize(1));
    }
  }

  @Test
  void whoHasBeenReplacedBeginsNoOtherFile() throws Exception {
    FailingFiles failing = new FailingFiles(0);
    AtomicInteger checks = new AtomicInteger();
    Journal.Guard guard =
        () -> {
          checks.incrementAndGet();
          throw new IOException("replaced on purpose");
        };
    try (Journal journal = new Journal(opened(failing), directory(), 1, guard)) {
      journal.start();
      journal.append(List.of(ended("a", 1)));
      journal.written().get();
      assertThat(checks).as("nobody is in the way of the first").hasValue(0);

      failing.failures().set(1);
      journal.append(List.of(ended("b", 1)));

      assertThat(journal.written()).failsWithin(Duration.ofMinutes(1));
      assertThat(checks).hasPositiveValue();
      assertThat(journals()).hasSize(1);
    }
  }

  @Test
  void closingTwiceOrUnstartedIsNoMistake() {
    Journal journal = new Journal(fs, directory(), 1);
    journal.close();
    journal.close();
  }

  @Test
  void aLineIsReadableByAPerson() throws IOException {
    write(fs, 1, lost("x"));

    assertThat(Files.readString(journals().get(0), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"attempt\":1,\"number\":1,\"record\":{\"record\":\"files-lost\",\"files\":[\"x\"]}}\n");
  }

  @Test
  void goesOnInAnotherFileAfterACut() throws Exception {
    try (Journal journal = new Journal(fs, directory(), 1)) {
      journal.start();
      journal.append(List.of(ended("a", 1)));
      Journal.Cut cut = journal.cut().get();
      journal.append(List.of(ended("b", 1)));
      journal.written().get();

      assertThat(cut.last()).isEqualTo(1);
      assertThat(cut.bytes()).isEqualTo(Files.size(journals().get(0)));
      assertThat(journals()).extracting(file -> file.getFileName().toString()).endsWith(cut.next());
      assertThat(Journal.read(fs, directory())).containsExactly(ended("a", 1), ended("b", 1));
    }
  }

  @Test
  void whatAnotherApplicationMasterHasGoneOnFromIsNotPutTogether() throws Exception {
    try (Journal journal = new Journal(fs, directory(), 1)) {
      journal.start();
      journal.append(List.of(ended("a", 1)));
      Journal.Cut cut = journal.cut().get();
      write(fs, 2, ended("b", 1));

      assertThatThrownBy(() -> new OldJournals(fs, directory()).replace(cut, 1, Optional::of, 0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another ApplicationMaster");
      assertThat(Journal.read(fs, directory())).containsExactly(ended("a", 1), ended("b", 1));
    }
  }

  /** Local files of which one cannot be read until somebody has closed it. */
  private static final class UnreadableFile extends RawLocalFileSystem implements LeaseRecoverable {

    private final String name;
    private boolean closed;

    UnreadableFile(String name) {
      this.name = name;
    }

    @Override
    public FSDataInputStream open(org.apache.hadoop.fs.Path file, int bufferSize)
        throws IOException {
      if (file.getName().equals(name) && !closed) {
        throw new IOException("Cannot obtain block length");
      }
      return super.open(file, bufferSize);
    }

    @Override
    public boolean recoverLease(org.apache.hadoop.fs.Path file) {
      closed = true;
      return true;
    }

    @Override
    public boolean isFileClosed(org.apache.hadoop.fs.Path file) {
      return closed;
    }
  }

  @Test
  void aJournalThatCannotBeReadIsNotTakenForItsEnd() throws IOException {
    write(fs, 1, ended("a", 1));
    String first = journals().get(0).getFileName().toString();
    write(fs, 2, ended("b", 1));
    FileSystem files = opened(new UnreadableFile(first));

    assertThatThrownBy(() -> Journal.read(files, directory()))
        .hasMessageContainingAll(first, "Cannot obtain block length", "hdfs fsck")
        .isInstanceOfSatisfying(
            IOException.class, e -> assertThat(Journal.mayBeReadable(e)).isTrue());
    assertThat(Journal.read(files, directory()))
        .as("it has been closed")
        .containsExactly(ended("a", 1), ended("b", 1));
  }

  @Test
  void ofSomebodyElsesJournalWhatCanBeReadCounts() throws IOException {
    write(fs, 1, ended("a", 1));
    String first = journals().get(0).getFileName().toString();
    write(fs, 2, ended("b", 1));
    FileSystem files = opened(new UnreadableFile(first));

    assertThat(Journal.readWhatCanBe(files, directory())).containsExactly(ended("b", 1));
    assertThat(Journal.readWhatCanBe(files, directory()))
        .as("nothing of somebody else's is closed")
        .containsExactly(ended("b", 1));
  }

  @Test
  void whatSomebodyPutsTogetherMeanwhileIsReadAgain() throws Exception {
    List<DispatchRecord> records = List.of(ended("a", 1), lost("x"), ended("a", 2));
    write(fs, 1, records.toArray(DispatchRecord[]::new));
    OldJournals other = new OldJournals(fs, directory());
    other.read(line -> {});
    AtomicBoolean first = new AtomicBoolean(true);
    FileSystem changing =
        opened(
            new RawLocalFileSystem() {
              @Override
              public FSDataInputStream open(org.apache.hadoop.fs.Path file, int bufferSize)
                  throws IOException {
                if (first.getAndSet(false)) {
                  other.replace(1, Optional::of, 0);
                }
                return super.open(file, bufferSize);
              }
            });
    List<DispatchRecord> read = new ArrayList<>();
    OldJournals journals = new OldJournals(changing, directory());

    assertThatThrownBy(() -> journals.read(line -> read.add(line.record())))
        .isInstanceOfSatisfying(
            IOException.class, e -> assertThat(Journal.mayBeReadable(e)).isTrue());
    journals.read(line -> read.add(line.record()));

    assertThat(read).startsWith(records.toArray(DispatchRecord[]::new));
  }

  @Test
  void aDirectoryThatIsGoneIsNotWaitedFor() {
    org.apache.hadoop.fs.Path gone = new org.apache.hadoop.fs.Path(directory(), "gone");

    assertThatThrownBy(() -> Journal.read(fs, gone))
        .isInstanceOfSatisfying(
            IOException.class, e -> assertThat(Journal.mayBeReadable(e)).isFalse());
  }
}
