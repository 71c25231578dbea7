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

/** The journal of a pool that is put together while jobs come and go. */
class JournalCompactorTest extends SessionTestBase {

  private static final int KEPT = 3;

  @TempDir private Path elsewhere;
  private final WatchedFiles files = new WatchedFiles();

  /** Local files that tell before one is renamed or deleted. */
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
    pool.close();
    pools.close();
    pools = new TestSessions(temp, files);
    pools.kept = KEPT;
    pool = pools.start(1);
  }

  private void comeAndGo(String name, int jobs) throws Exception {
    for (int i = 0; i < jobs; i++) {
      pools.client.submit(job(name + i));
      pools.client.cancel(name + i);
    }
    forget();
  }

  private void forget() throws Exception {
    pool.controller
        .ask(
            () -> {
              pool.replay.forget();
              return true;
            })
        .get();
  }

  private Path putTogether(int number) {
    Path fresh = temp.resolve(String.format(Locale.ROOT, "journal-0000-000001-%06d.jsonl", number));
    Path old = temp.resolve(String.format(Locale.ROOT, "journal-0001-%06d.jsonl", number));
    pool.compactor.compactIfDue();
    await()
        .untilAsserted(
            () -> {
              assertThat(fresh).exists();
              assertThat(old).doesNotExist();
            });
    return fresh;
  }

  @Test
  void whatHasGrownIsPutTogetherWhileThePoolGoesOn() throws Exception {
    comeAndGo("a", 30);
    pools.client.submit(job("open"));
    long seen = pools.client.awaitEnds(0, Duration.ZERO).next();

    Path fresh = putTogether(1);

    assertThat(Files.readAllLines(fresh))
        .as("coming and going of three, one that is open, and the end")
        .hasSize(2 * KEPT + 2);
    pools.client.submit(job("later"));
    pools.client.cancel("later");
    forget();
    List<JobStatus> known = pools.client.list();
    assertThat(known).extracting(JobStatus::id).containsExactly("a28", "a29", "open", "later");

    pool.close();
    pool = pools.start(2);

    assertThat(pools.client.list()).isEqualTo(known);
    assertThat(pools.client.awaitEnds(seen, Duration.ZERO).jobs())
        .extracting(JobStatus::id)
        .containsExactly("later");
  }

  @Test
  void aShortOneIsLeftAlone() throws Exception {
    pools.client.submit(job("open"));

    pool.compactor.compactIfDue();
    pools.client.submit(job("another"));

    assertThat(temp.resolve("journal-0001-000001.jsonl")).exists();
    assertThat(temp.resolve("journal-0001-000002.jsonl")).doesNotExist();
  }

  @Test
  void whereverItIsKilledNothingIsLostAndNothingComesBack() throws Exception {
    pools.client.submit(job("first"));
    comeAndGo("a", 30);
    putTogether(1);
    pools.client.cancel("first");
    comeAndGo("b", 60);
    pools.client.submit(job("open"));
    List<Path> states = new CopyOnWriteArrayList<>();
    files.before =
        () -> {
          if (states.isEmpty()) {
            pools.client.submit(job("meanwhile"));
          }
          states.add(copy(states.size()));
        };

    putTogether(2);

    files.before = () -> {};
    List<JobStatus> known = pools.client.list();
    assertThat(known)
        .extracting(JobStatus::id)
        .containsExactly("b57", "b58", "b59", "open", "meanwhile");
    assertThat(states).as("before a new file, and before two go").hasSize(3);
    for (Path state : states) {
      try (TestSessions again = new TestSessions(state)) {
        again.kept = KEPT;
        try (TestSessions.Pool next = again.start(2)) {
          assertThat(again.client.list()).as(state.toString()).isEqualTo(known);
          assertThat(next.jobs.unfinished()).hasSize(2);
        }
      }
    }
  }

  @Test
  void oneThatCannotBeReadToItsEndStaysAsItIs() throws Exception {
    comeAndGo("a", 30);
    Path journal = temp.resolve("journal-0001-000001.jsonl");
    List<String> lines = Files.readAllLines(journal);
    Files.write(journal, lines.subList(0, lines.size() - 1));

    pool.compactor.compactIfDue();
    // What follows is in another file, so that it is past the point where it looks.
    pools.client.submit(job("next"));
    await().until(() -> Files.exists(temp.resolve("journal-0001-000002.jsonl")));

    await().until(() -> !pool.compactor.isBusy());
    assertThat(journal).exists();
    assertThat(temp.resolve("journal-0000-000001-000001.jsonl")).doesNotExist();
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
  void oneWhoseLengthCannotBeSeenAtTheStartIsPutTogetherLater() throws Exception {
    comeAndGo("a", 30);
    JournalReader old =
        new JournalReader(files, new org.apache.hadoop.fs.Path(temp.toUri().getPath()));
    files.lengths = false;
    JournalCompactor compactor =
        new JournalCompactor(
            new JournalCompactor.Parts(pool.journal, old, pool.replay, pool.jobs, pool.controller),
            pools.threads,
            4_000);
    compactor.compactIfDue();
    await().until(() -> !compactor.isBusy());

    files.lengths = true;
    compactor.compactIfDue();
    await().until(() -> !compactor.isBusy());
    comeAndGo("b", 200);

    await()
        .untilAsserted(
            () -> {
              compactor.compactIfDue();
              assertThat(temp.resolve("journal-0000-000001-000001.jsonl")).exists();
            });
  }
}
