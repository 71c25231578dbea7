package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.cache.CacheDirectory;
import dev.weir.workflow.cache.CacheLimit;
import dev.weir.workflow.cache.CacheReporter;
import dev.weir.workflow.cache.CachingStore;
import dev.weir.workflow.cache.NodeCache;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.FileSlot.Kind;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.transfer.DataStore.Stored;
import dev.weir.workflow.transfer.DataStore.StoredOutput;
import dev.weir.workflow.transfer.DirectoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tasks read outputs of earlier tasks of their node from the local disk. */
class LocalReuseTest extends TaskRunnerTestBase {

  private static final int BYTES = 2_000_000;
  private static final int LIMIT = 5_000_000;
  private static final String MAKE = "head -c " + BYTES + " /dev/zero > made";

  private NodeCache cache;

  @BeforeEach
  void openCache() throws IOException {
    open(CacheLimit.of(LIMIT));
  }

  private void open(CacheLimit room) throws IOException {
    cache =
        new NodeCache(
            CacheDirectory.open(temp.resolve("cache"), room),
            Clock.systemUTC(),
            NodeCache.COPIED_BYTES);
    makeRunner(new CachingStore(store, cache));
  }

  @AfterEach
  void closeCache() throws IOException {
    cache.close();
  }

  private static FileSlot slot(String name, Kind kind) {
    return new FileSlot(name, "/data/" + name, 0, kind, 0);
  }

  private TaskReport make(String script) throws InterruptedException {
    return make(script, "made");
  }

  private TaskReport make(String script, String name) throws InterruptedException {
    TaskReport report = run(shell(List.of(), List.of(slot(name, Kind.HANDED)), script));
    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    return report;
  }

  private TaskReport read(Kind kind, String script) throws InterruptedException {
    return run(shell(List.of(slot("made", kind)), slots(), script));
  }

  private static void assertAllCached(TaskReport report) {
    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(report.usage().inputBytesCached()).isEqualTo(BYTES);
    assertThat(report.usage().inputBytesLocal() + report.usage().inputBytesRemote()).isZero();
  }

  @Test
  void taskReadsALocalOutputWithoutTheStore() throws Exception {
    TaskReport made = make(MAKE);
    TaskReport read = read(Kind.HANDED, "test $(stat -c %h made) = 1 && test -s made");

    assertAllCached(read);
    assertThat(store.fetches()).isZero();
    assertThat(read.inputs().get(0).crc32c()).isEqualTo(made.outputs().get(0).crc32c());
    assertThat(store.file("/data/made")).hasSize(BYTES);
  }

  @Test
  void storeIsQueriedOnceForAllLocalOutputs() throws Exception {
    List<FileSlot> outputs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      outputs.add(slot("made" + i, Kind.HANDED));
    }

    TaskReport made =
        run(
            shell(
                List.of(), outputs, "for i in 0 1 2; do head -c 1500000 /dev/zero > made$i; done"));

    assertThat(made.result()).as(made.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.lookups()).isEqualTo(1);
    TaskReport read = run(shell(outputs, slots(), "true"));
    assertThat(read.usage().inputBytesCached()).isEqualTo(3 * 1_500_000L);
  }

  @Test
  void onlyReaderMayRemoveTheFile() throws Exception {
    make(MAKE);

    assertAllCached(read(Kind.HANDED, "gzip made && test -s made.gz"));
  }

  @Test
  void eachOfSeveralReadersGetsALink() throws Exception {
    make(MAKE);

    for (int i = 0; i < 3; i++) {
      assertAllCached(read(Kind.SHARED, "test $(stat -c %h made) = 3 && test -s made"));
    }
    assertThat(store.fetches()).isZero();
  }

  @Test
  void retryReadsFromTheStore() throws Exception {
    make(MAKE);
    assertThat(read(Kind.HANDED, "exit 1").result()).isEqualTo(Result.FAILED);

    TaskReport again = read(Kind.HANDED, "true");

    assertThat(again.result()).isEqualTo(Result.SUCCEEDED);
    assertThat(again.usage().inputBytesLocal()).isEqualTo(BYTES);
  }

  @Test
  void smallUnreadAndOverwrittenFilesAreReadFromTheStore() throws Exception {
    make("head -c 1000 /dev/zero > made");
    assertThat(read(Kind.HANDED, "true").usage().inputBytesLocal()).isEqualTo(1000);
    run(shell(List.of(), List.of(slot("made", Kind.WHOLE)), MAKE));
    assertThat(read(Kind.HANDED, "true").usage().inputBytesLocal()).isEqualTo(BYTES);
    make(MAKE);
    make(MAKE + "; echo >> made");
    assertThat(read(Kind.HANDED, "true").usage().inputBytesCached()).isEqualTo(BYTES + 1);
  }

  @Test
  void alteringTaskIsRetriedOnACopyAndThenFails() throws Exception {
    for (Kind kind : new Kind[] {Kind.HANDED, Kind.SHARED}) {
      make(MAKE);
      String alter = "chmod u+w made; echo x >> made";

      TaskReport first = read(kind, alter);

      assertThat(first.result()).as(first.message()).isEqualTo(Result.INFRASTRUCTURE);
      assertThat(first.message()).contains("or wrote the same file");
      assertThat(read(kind, alter).result()).isEqualTo(Result.FAILED);
      assertThat(read(kind, "test $(wc -c < made) = " + BYTES).result())
          .isEqualTo(Result.SUCCEEDED);
    }
  }

  @Test
  void failureWithAnAlteredInputIsRetriedAndExplained() throws Exception {
    make(MAKE);

    TaskReport report = read(Kind.HANDED, "chmod u+w made; echo x >> made; exit 3");

    assertThat(report.result()).as(report.message()).isEqualTo(Result.INFRASTRUCTURE);
    assertThat(report.message())
        .startsWith("the command exited with 3; also, input 'made' altered")
        .contains("retried on this node with a private copy");
  }

  @Test
  void fileBehindASymbolicLinkIsNotMoved() throws Exception {
    Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
    String script =
        "rmdir d; ln -s '" + elsewhere + "' d; head -c " + BYTES + " /dev/zero > d/made";

    make(script, "d/made");

    assertThat(elsewhere.resolve("made")).hasSize(BYTES);
    assertThat(temp.resolve("cache/contents")).isEmptyDirectory();
  }

  @Test
  void fileLargerThanTheCacheIsReadFromTheStore() throws Exception {
    make("head -c " + (LIMIT + 1) + " /dev/zero > made");

    assertThat(read(Kind.HANDED, "true").usage().inputBytesLocal()).isEqualTo(LIMIT + 1);
  }

  @Test
  void keepingALocalOutputNeedsNoMoreDiskSpace() throws Exception {
    cache.close();
    // A fetch of the file would leave too little.
    open(new CacheLimit(LIMIT, 0, () -> (long) BYTES));

    make(MAKE);

    assertAllCached(read(Kind.HANDED, "true"));
  }

  @Test
  void unreadOutputsAreEvictedBeforeFetchedFiles() throws Exception {
    store.write("/data/common", "x".repeat(BYTES));
    List<FileSlot> common = List.of(slot("common", Kind.SHARED));
    run(shell(common, slots(), "true"));
    make(MAKE);
    make("head -c " + BYTES + " /dev/zero > other", "other");

    assertThat(run(shell(common, slots(), "true")).usage().inputBytesCached()).isEqualTo(BYTES);
    assertThat(read(Kind.HANDED, "true").usage().inputBytesLocal()).isEqualTo(BYTES);
  }

  @Test
  void onlyFilesWithoutLocalReplicaAreReportedToTheDispatcher() throws Exception {
    List<Message> sent = new ArrayList<>();
    CacheReporter reporter = new CacheReporter(cache, 10);
    reporter.connect(sent::add);
    CachingStore caching = new CachingStore(store, cache, reporter);
    for (String host : List.of(DirectoryStore.NODE, "elsewhere")) {
      String path = "/data/" + host;
      Path file = Files.write(temp.resolve(host), new byte[BYTES]);
      var facts = LocalFiles.facts(file);
      long crc = store.put(file, path).crc32c();
      caching
          .prepareLocalReuse(
              List.of(
                  new StoredOutput(
                      path, path, file, facts, new Stored(Map.of(host, (long) BYTES), crc, 0))))
          .run();
      assertThat(file).doesNotExist();
    }

    reporter.report();
    reporter.report();

    assertThat(sent)
        .containsExactly(new Message.CacheNews(Map.of("/data/elsewhere", (long) BYTES), List.of()));
  }
}
