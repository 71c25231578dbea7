package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.controller.TestRun;
import dev.weir.workflow.record.DeletedFiles;
import dev.weir.workflow.scheduler.api.Effect.UnneededFile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

/** Deletes unneeded files; a failure with one file affects no other. */
class IntermediateFileDeleterTest {

  private static final long MADE = 1_000_000;
  private static final long ID = 77;
  private static final long TIMEOUT_MILLIS = 30_000;
  private static final Duration RETRY = Duration.ofMillis(1);
  private static final CompletableFuture<Void> WRITTEN = CompletableFuture.completedFuture(null);

  private final Files files = new Files();
  private final List<String> notes = new CopyOnWriteArrayList<>();
  private final List<String> settled = new CopyOnWriteArrayList<>();
  private final TestRun.Files runFiles = new TestRun.Files();
  private final IntermediateFileDeleter deleter =
      new IntermediateFileDeleter(runFiles, files, id -> "/d/" + id, notes::add, RETRY);

  /** The files in HDFS. */
  private static final class Files implements IntermediateFileDeleter.Store {
    final Map<String, FileStatus> present = new ConcurrentHashMap<>();
    final List<Integer> questions = new CopyOnWriteArrayList<>();
    final List<String> refused = new ArrayList<>();
    final List<String> broken = new ArrayList<>();
    final List<String> closed = new ArrayList<>();
    final AtomicInteger away = new AtomicInteger();

    /** Formats a record of a deletion. */
    void put(String path, long fileId) {
      HdfsFileStatus file =
          new HdfsFileStatus.Builder().length(10).mtime(MADE).fileId(fileId).build();
      present.put(path, (FileStatus) file);
    }

    void put(String path, long bytes, long modified) {
      present.put(path, new FileStatus(bytes, false, 1, 1 << 20, modified, new Path(path)));
    }

    @Override
    public Map<String, FileStatus> find(List<String> paths) throws IOException {
      questions.add(paths.size());
      if (paths.stream().anyMatch(closed::contains)) {
        throw new AccessControlException("not for you");
      }
      if (away.getAndDecrement() > 0) {
        throw new RemoteException(StandbyException.class.getName(), "on purpose");
      }
      Map<String, FileStatus> found = new HashMap<>(present);
      found.keySet().retainAll(paths);
      return found;
    }

    @Override
    public boolean delete(String path) throws IOException {
      if (broken.contains(path)) {
        throw new IllegalStateException("on purpose");
      }
      if (refused.contains(path)) {
        throw new AccessControlException("not yours");
      }
      return present.remove(path) != null;
    }
  }

  /** Writes the outputs of tasks. */
  private void writeOutputs(String... ids) {
    for (String id : ids) {
      files.put("/d/" + id, 10, MADE);
    }
  }

  private static UnneededFile unneeded(String file) {
    return new UnneededFile(file, 10, MADE, ID);
  }

  private void deleteUnneeded(String... ids) {
    List<UnneededFile> unneeded =
        Stream.of(ids).map(IntermediateFileDeleterTest::unneeded).toList();
    deleter.deleteUnneeded(unneeded, () -> WRITTEN, settled::addAll);
  }

  @Test
  void filesAreDeletedWithOneLookupPerHundred() {
    List<String> ids = IntStream.range(0, 250).mapToObj(i -> "f" + i).toList();
    writeOutputs(ids.toArray(String[]::new));
    files.put("/d/other", 10, MADE);

    deleteUnneeded(ids.toArray(String[]::new));

    assertThat(deleter.finish(TIMEOUT_MILLIS)).isEqualTo(new DeletedFiles(250, 2_500, 0));
    assertThat(files.present).containsOnlyKeys("/d/other");
    assertThat(files.questions).containsExactlyInAnyOrder(100, 100, 50);
    assertThat(settled).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(notes).isEmpty();
  }

  @Test
  void nothingIsDeletedBeforeTheJournalIsWritten() {
    writeOutputs("a", "b");
    CompletableFuture<Void> written = new CompletableFuture<>();
    deleter.deleteUnneeded(List.of(unneeded("a")), () -> written, settled::addAll);
    deleteUnneeded("b");
    await().until(() -> !settled.isEmpty());
    assertThat(settled).as("the second file, although it came later").containsExactly("b");
    assertThat(files.present).containsOnlyKeys("/d/a");

    written.complete(null);

    assertThat(deleter.finish(TIMEOUT_MILLIS)).isEqualTo(new DeletedFiles(2, 20, 0));
  }

  @Test
  void nothingIsDeletedAfterClose() {
    writeOutputs("a");
    CompletableFuture<Void> written = new CompletableFuture<>();
    deleter.deleteUnneeded(List.of(unneeded("a")), () -> written, settled::addAll);

    deleter.close();
    written.complete(null);

    assertThat(files.present).containsOnlyKeys("/d/a");
    assertThat(deleter.finish(TIMEOUT_MILLIS)).isEqualTo(new DeletedFiles(0, 0, 1));
  }

  @Test
  void failedJournalWriteIsAwaitedAgain() {
    writeOutputs("a");
    AtomicInteger asked = new AtomicInteger();
    deleter.deleteUnneeded(
        List.of(unneeded("a")),
        () ->
            asked.getAndIncrement() == 0
                ? CompletableFuture.failedFuture(new IOException("away"))
                : WRITTEN,
        settled::addAll);

    await().until(() -> settled.equals(List.of("a")));

    assertThat(files.present).isEmpty();
  }

  @Test
  void fileOfAnotherWriterStays() {
    files.put("/d/longer", 11, MADE);
    files.put("/d/newer", 10, MADE + 60_001);
    files.put("/d/clock", 10, MADE + 60_000);

    deleteUnneeded("longer", "newer", "clock");

    assertThat(deleter.finish(TIMEOUT_MILLIS)).isEqualTo(new DeletedFiles(1, 10, 2));
    assertThat(files.present).containsOnlyKeys("/d/longer", "/d/newer");
    assertThat(settled).containsExactlyInAnyOrder("longer", "newer", "clock");
    assertThat(notes)
        .singleElement()
        .asString()
        .contains("stay", "differs from what its task wrote");
  }

  @Test
  void similarReplacementStays() {
    files.put("/d/own", ID);
    files.put("/d/another", ID + 1);

    deleteUnneeded("own", "another");

    assertThat(deleter.finish(TIMEOUT_MILLIS)).isEqualTo(new DeletedFiles(1, 10, 1));
    assertThat(files.present).containsOnlyKeys("/d/another");
  }

  @Test
  void missingFileIsNoFailure() {
    deleteUnneeded("a");

    assertThat(deleter.finish(TIMEOUT_MILLIS)).isEqualTo(DeletedFiles.NOTHING);
    assertThat(settled).containsExactly("a");
    assertThat(notes).isEmpty();
  }

  @Test
  void refusedDeletionDoesNotBlockOthers() {
    writeOutputs("a", "b", "c");
    files.refused.addAll(List.of("/d/a", "/d/b"));

    deleteUnneeded("a", "b", "c");

    assertThat(deleter.finish(TIMEOUT_MILLIS)).isEqualTo(new DeletedFiles(1, 10, 2));
    assertThat(settled).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(notes).as("noted once").singleElement().asString().contains("/d/a", "not yours");
  }

  @Test
  void unreadableFileDoesNotBlockOthers() {
    writeOutputs("a", "b", "c");
    files.closed.add("/d/b");

    deleteUnneeded("a", "b", "c");

    assertThat(deleter.finish(TIMEOUT_MILLIS)).isEqualTo(new DeletedFiles(2, 20, 1));
    assertThat(files.present).containsOnlyKeys("/d/b");
    assertThat(notes).singleElement().asString().contains("/d/b", "not for you");
  }

  @Test
  void exceptionForOneFileDoesNotBlockOthers() {
    writeOutputs("a", "b", "c");
    files.broken.add("/d/a");

    deleteUnneeded("a", "b", "c");

    assertThat(deleter.finish(TIMEOUT_MILLIS)).isEqualTo(new DeletedFiles(2, 20, 1));
    assertThat(files.present).containsOnlyKeys("/d/a");
    assertThat(settled).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void unavailableNameNodeIsAwaited() {
    writeOutputs("a");
    files.away.set(2);

    deleteUnneeded("a");

    await().until(() -> settled.equals(List.of("a")));
    assertThat(files.present).isEmpty();
  }

  @Test
  void endOfTheRunWaitsOnlyForTheTimeout() {
    writeOutputs("a");
    files.away.set(Integer.MAX_VALUE);

    deleteUnneeded("a");
    await().until(() -> files.away.get() < Integer.MAX_VALUE);

    assertThat(deleter.finish(1)).isEqualTo(new DeletedFiles(0, 0, 1));
    files.away.set(0);
    deleteUnneeded("a");
    assertThat(deleter.finish(TIMEOUT_MILLIS))
        .as("nothing is started afterwards")
        .isEqualTo(new DeletedFiles(0, 0, 2));
    assertThat(files.present).containsOnlyKeys("/d/a");
  }

  @Test
  void exceptionDoesNotFailTheRun() {
    writeOutputs("a");
    IntermediateFileDeleter broken =
        new IntermediateFileDeleter(
            runFiles,
            new IntermediateFileDeleter.Store() {
              @Override
              public Map<String, FileStatus> find(List<String> paths) {
                throw new IllegalStateException("on purpose");
              }

              @Override
              public boolean delete(String path) {
                return false;
              }
            },
            id -> "/d/" + id,
            notes::add,
            RETRY);

    broken.deleteUnneeded(List.of(unneeded("a")), () -> WRITTEN, settled::addAll);

    assertThat(broken.finish(TIMEOUT_MILLIS)).isEqualTo(new DeletedFiles(0, 0, 1));
    assertThat(settled).containsExactly("a");
    assertThat(notes).singleElement().asString().contains("on purpose");
  }

  @Test
  void otherOperationsAreDelegated() {
    runFiles.lost.add("r");

    assertThat(deleter.lost(List.of("r"))).containsExactly("r");
    deleter.remove(List.of("/x"));
    assertThat(runFiles.removed).containsExactly("/x");
  }
}
