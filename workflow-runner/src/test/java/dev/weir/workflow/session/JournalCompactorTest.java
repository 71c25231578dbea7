package dev.weir.workflow.session;

import static dev.weir.workflow.jobserver.TestSessions.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.jobs.JobStatus;
import dev.weir.workflow.jobserver.SessionTestBase;
import dev.weir.workflow.jobserver.TestSessions;
import dev.weir.workflow.journal.JournalReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compacts the journal of a session while jobs come and go. */
class JournalCompactorTest extends SessionTestBase {

  private static final int KEPT = 3;

  @TempDir private Path elsewhere;
  private final WatchedFiles files = new WatchedFiles();

  /** Local files that call a hook before one of them is renamed or deleted. */
  private static final class WatchedFiles extends RawLocalFileSystem {

    private volatile Hook before = () -> {};
    private volatile boolean lengths = true;

    @Override
    public FileStatus getFileStatus(org.apache.hadoop.fs.Path file) throws IOException {
      if (!lengths && file.getName().startsWith("journal-")) {
        throw new IOException("the length of " + file + " is not known on purpose");
      }
      return super.getFileStatus(file);
    }

    @Override
    public boolean rename(org.apache.hadoop.fs.Path from, org.apache.hadoop.fs.Path to)
        throws IOException {
      before();
      return super.rename(from, to);
    }

    @Override
    public boolean delete(org.apache.hadoop.fs.Path file, boolean recursive) throws IOException {
      before();
      return super.delete(file, recursive);
    }

    private void before() throws IOException {
      try {
        before.run();
      } catch (IOException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
  }

  private interface Hook {
    void run() throws Exception;
  }

  @BeforeEach
  void watch() throws IOException {
    session.close();
    sessions.close();
    sessions = new TestSessions(temp, files);
    sessions.kept = KEPT;
    session = sessions.start(1);
  }

  private void submitAndFinish(String name, int jobs) throws Exception {
    for (int i = 0; i < jobs; i++) {
      sessions.client.submit(job(name + i));
      sessions.client.cancel(name + i);
    }
    forgetJobs();
  }

  private void forgetJobs() throws Exception {
    session
        .controller
        .ask(
            () -> {
              session.replay.forget();
              return true;
            })
        .get();
  }

  private Path compactedFile(int number) {
    Path fresh =
        temp.resolve(String.format(Locale.ROOT, "journal-0000-000001-%06d.jsonl.gz", number));
    Path old = temp.resolve(String.format(Locale.ROOT, "journal-0001-%06d.jsonl", number));
    session.compactor.compactIfDue();
    await()
        .untilAsserted(
            () -> {
              assertThat(fresh).exists();
              assertThat(old).doesNotExist();
            });
    return fresh;
  }

  @Test
  void longJournalIsCompactedWhileTheSessionRuns() throws Exception {
    submitAndFinish("a", 30);
    sessions.client.submit(job("open"));
    long seen = sessions.client.awaitEnds(0, Duration.ZERO).next();

    Path fresh = compactedFile(1);

    assertThat(TestSessions.compactedLines(fresh))
        .as("three jobs that came and went, one open job, and the end")
        .hasSize(2 * KEPT + 2);
    sessions.client.submit(job("later"));
    sessions.client.cancel("later");
    forgetJobs();
    List<JobStatus> known = sessions.client.list();
    assertThat(known).extracting(JobStatus::id).containsExactly("a28", "a29", "open", "later");

    session.close();
    session = sessions.start(2);

    assertThat(sessions.client.list()).isEqualTo(known);
    assertThat(sessions.client.awaitEnds(seen, Duration.ZERO).jobs())
        .extracting(JobStatus::id)
        .containsExactly("later");
  }

  @Test
  void shortJournalIsNotCompacted() throws Exception {
    sessions.client.submit(job("open"));

    session.compactor.compactIfDue();
    sessions.client.submit(job("another"));

    assertThat(temp.resolve("journal-0001-000001.jsonl")).exists();
    assertThat(temp.resolve("journal-0001-000002.jsonl")).doesNotExist();
  }

  @Test
  void killDuringCompactionLosesNothingAndRestoresNothing() throws Exception {
    sessions.client.submit(job("first"));
    submitAndFinish("a", 30);
    compactedFile(1);
    sessions.client.cancel("first");
    submitAndFinish("b", 60);
    sessions.client.submit(job("open"));
    List<Path> states = new CopyOnWriteArrayList<>();
    files.before =
        () -> {
          if (states.isEmpty()) {
            sessions.client.submit(job("meanwhile"));
          }
          states.add(copy(states.size()));
        };

    compactedFile(2);

    files.before = () -> {};
    List<JobStatus> known = sessions.client.list();
    assertThat(known)
        .extracting(JobStatus::id)
        .containsExactly("b57", "b58", "b59", "open", "meanwhile");
    assertThat(states).as("before one file appears and two are deleted").hasSize(3);
    for (Path state : states) {
      try (TestSessions again = new TestSessions(state)) {
        again.kept = KEPT;
        try (TestSessions.Session next = again.start(2)) {
          assertThat(again.client.list()).as(state.toString()).isEqualTo(known);
          assertThat(next.jobs.unfinished()).hasSize(2);
        }
      }
    }
  }

  @Test
  void unreadableJournalIsNotCompacted() throws Exception {
    submitAndFinish("a", 30);
    Path journal = temp.resolve("journal-0001-000001.jsonl");
    List<String> lines = Files.readAllLines(journal);
    Files.write(journal, lines.subList(0, lines.size() - 1));

    session.compactor.compactIfDue();
    // Later records are in another file, beyond the point where compaction reads.
    sessions.client.submit(job("next"));
    await().until(() -> Files.exists(temp.resolve("journal-0001-000002.jsonl")));

    await().until(() -> !session.compactor.isBusy());
    assertThat(journal).exists();
    assertThat(temp.resolve("journal-0000-000001-000001.jsonl.gz")).doesNotExist();
  }

  private Path copy(int number) throws IOException {
    Path copy = Files.createDirectory(elsewhere.resolve("state-" + number));
    try (Stream<Path> all = Files.list(temp)) {
      for (Path file : all.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    return copy;
  }

  @Test
  void journalOfUnknownLengthIsCompactedLater() throws Exception {
    submitAndFinish("a", 30);
    JournalReader old =
        new JournalReader(files, new org.apache.hadoop.fs.Path(temp.toUri().getPath()));
    files.lengths = false;
    JournalCompactor compactor =
        new JournalCompactor(
            new JournalCompactor.Parts(
                session.journal, old, session.replay, session.jobs, session.controller),
            sessions.threads,
            4_000);
    compactor.compactIfDue();
    await().until(() -> !compactor.isBusy());

    files.lengths = true;
    compactor.compactIfDue();
    await().until(() -> !compactor.isBusy());
    submitAndFinish("b", 200);

    await()
        .untilAsserted(
            () -> {
              compactor.compactIfDue();
              assertThat(temp.resolve("journal-0000-000001-000001.jsonl.gz")).exists();
            });
  }
}
