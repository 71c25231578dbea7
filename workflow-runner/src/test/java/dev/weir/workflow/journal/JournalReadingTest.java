package dev.weir.workflow.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.scheduler.api.DispatchRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;

/** Journals that are truncated, unreadable, or change while they are read. */
class JournalReadingTest extends JournalTestBase {

  /** Local files of which one is unreadable until its lease is recovered. */
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
  void truncationLosesOnlyTheLastRecord() throws IOException {
    write(fs, 1, ended("a", 1), ended("b", 1));
    Path file = journals().get(0);
    byte[] all = Files.readAllBytes(file);
    write(fs, 2, ended("c", 1));

    for (int length = all.length - 2; length > 0; length--) {
      Files.write(file, Arrays.copyOf(all, length));
      List<DispatchRecord> read = read(fs, directory());
      assertThat(read).as("%d bytes", length).endsWith(ended("c", 1));
      assertThat(read).as("%d bytes", length).doesNotContain(ended("b", 1));
      assertThat(read.size()).as("%d bytes", length).isBetween(1, 2);
    }
  }

  @Test
  void otherFilesAreIgnored() throws IOException {
    Files.writeString(temp.resolve("plan.json"), "{}");
    write(fs, 1, ended("a", 1));
    Files.writeString(
        temp.resolve("journal-0002-000001.jsonl"), "nonsense", StandardOpenOption.CREATE);

    assertThat(read(fs, directory())).containsExactly(ended("a", 1));
  }

  @Test
  void unreadableJournalIsAnErrorNotAnEnd() throws IOException {
    write(fs, 1, ended("a", 1));
    String first = journals().get(0).getFileName().toString();
    write(fs, 2, ended("b", 1));
    FileSystem files = opened(new UnreadableFile(first));

    assertThatThrownBy(() -> read(files, directory()))
        .hasMessageContainingAll(first, "Cannot obtain block length", "hdfs fsck")
        .isInstanceOfSatisfying(
            IOException.class, e -> assertThat(Journal.mayBeReadable(e)).isTrue());
    assertThat(read(files, directory()))
        .as("its lease was recovered")
        .containsExactly(ended("a", 1), ended("b", 1));
  }

  @Test
  void readablePartOfAnotherWritersJournalCounts() throws IOException {
    write(fs, 1, ended("a", 1));
    String first = journals().get(0).getFileName().toString();
    write(fs, 2, ended("b", 1));
    FileSystem files = opened(new UnreadableFile(first));

    assertThat(readablePart(files)).containsExactly(ended("b", 1));
    assertThat(readablePart(files))
        .as("leases of other writers are not recovered")
        .containsExactly(ended("b", 1));
  }

  /** Writes a journal with three records, the middle one of which is invalid. */
  private Path brokenJournal() throws IOException {
    write(fs, 1, ended("a", 1), ended("b", 1), ended("c", 1));
    Path file = journals().get(0);
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.set(1, lines.get(1).replace("\"number\":2", "\"number\":two"));
    Files.write(file, lines);
    return file;
  }

  @Test
  void invalidRecordDoesNotEndAnotherWritersJournal() throws IOException {
    brokenJournal();
    write(fs, 2, ended("d", 1));

    assertThat(readablePart(fs)).containsExactly(ended("a", 1), ended("d", 1));
  }

  @Test
  void invalidRecordDoesNotEndTheOwnJournal() throws IOException {
    Path file = brokenJournal();

    assertThatThrownBy(() -> read(fs, directory()))
        .hasMessageContaining("record 2 of file:" + file)
        .isInstanceOfSatisfying(
            IOException.class,
            e -> assertThat(Journal.mayBeReadable(e)).as("a retry is useless").isFalse());
  }

  @Test
  void completeLastRecordIsRead() throws IOException {
    write(fs, 1, ended("a", 1));
    Files.writeString(journals().get(0), "nonsense\n", StandardOpenOption.APPEND);

    assertThat(readablePart(fs)).containsExactly(ended("a", 1));
  }

  @Test
  void incompleteLastRecordIsIgnored() throws IOException {
    write(fs, 1, ended("a", 1));
    Files.writeString(journals().get(0), "{\"att", StandardOpenOption.APPEND);

    assertThat(new JournalReader(fs, directory()).readLeniently(line -> {})).isTrue();
  }

  private List<DispatchRecord> readablePart(FileSystem files) throws IOException {
    List<DispatchRecord> read = new ArrayList<>();
    boolean all =
        new JournalReader(files, directory()).readLeniently(line -> read.add(line.record()));
    assertThat(all).isFalse();
    return read;
  }

  @Test
  void journalCompactedDuringTheReadIsReadAgain() throws Exception {
    List<DispatchRecord> records = List.of(ended("a", 1), lost("x"), ended("a", 2));
    write(fs, 1, records.toArray(DispatchRecord[]::new));
    JournalReader other = new JournalReader(fs, directory());
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
    JournalReader journals = new JournalReader(changing, directory());

    assertThatThrownBy(() -> journals.read(line -> read.add(line.record())))
        .isInstanceOfSatisfying(
            IOException.class, e -> assertThat(Journal.mayBeReadable(e)).isTrue());
    journals.read(line -> read.add(line.record()));

    assertThat(read).startsWith(records.toArray(DispatchRecord[]::new));
  }

  @Test
  void missingDirectoryEndsTheRead() {
    org.apache.hadoop.fs.Path gone = new org.apache.hadoop.fs.Path(directory(), "gone");

    assertThatThrownBy(() -> read(fs, gone))
        .isInstanceOfSatisfying(
            IOException.class, e -> assertThat(Journal.mayBeReadable(e)).isFalse());
  }
}
