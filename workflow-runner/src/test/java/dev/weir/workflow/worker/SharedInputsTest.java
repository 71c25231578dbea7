package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.cache.CacheDirectory;
import dev.weir.workflow.cache.CacheLimit;
import dev.weir.workflow.cache.CachingStore;
import dev.weir.workflow.cache.NodeCache;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks share a cached file, and one of them writes to it. */
class SharedInputsTest extends TaskRunnerTestBase {

  private static final FileSlot INPUT = new FileSlot("a", "/data/a", 4, FileSlot.Kind.SHARED, 0);
  private static final String ALTER = "chmod u+w a; printf 5678 > a";

  private final ExecutorService attempts = Executors.newCachedThreadPool();
  private NodeCache cache;

  /** Several cores, so that tasks can run side by side. */
  SharedInputsTest() {
    super(4);
  }

  @BeforeEach
  void openCache() throws IOException {
    store.write("/data/a", "1234");
    open(0);
  }

  /** Opens a cache that copies files up to this size for each task and links larger ones. */
  private void open(long copiedBytes) throws IOException {
    cache =
        new NodeCache(
            CacheDirectory.open(temp.resolve("cache"), CacheLimit.of(1 << 20)),
            Clock.systemUTC(),
            copiedBytes);
    makeRunner(new CachingStore(store, cache));
  }

  @AfterEach
  void closeCache() throws IOException {
    attempts.shutdownNow();
    cache.close();
  }

  private static TaskOrder reading(String script) {
    return shell(List.of(INPUT), slots(), script);
  }

  private static TaskOrder making(String output, String script) {
    return shell(List.of(INPUT), slots(output), script);
  }

  private TaskReport run(String script) throws InterruptedException {
    return run(reading(script));
  }

  /** Shell code that announces itself and waits until the test {@linkplain #resume resumes} it. */
  private String pause(String name) {
    Path go = temp.resolve(name);
    return "touch '%s.here'; until test -e '%s'; do sleep 0.05; done; ".formatted(go, go);
  }

  /** Starts an attempt and waits until it pauses. */
  private Future<TaskReport> begin(String pause, TaskOrder order) {
    Future<TaskReport> report = attempts.submit(() -> run(order));
    await().until(() -> Files.exists(temp.resolve(pause + ".here")));
    return report;
  }

  private TaskReport resume(String pause, Future<TaskReport> attempt) throws Exception {
    Files.createFile(temp.resolve(pause));
    return attempt.get(60, TimeUnit.SECONDS);
  }

  /** Stops the second attempt, and waits until its sandbox is gone. */
  private void stop(Future<TaskReport> second) {
    second.cancel(true);
    await().until(() -> Files.notExists(temp.resolve("sandboxes/attempt-2")));
  }

  @Test
  void onlyReaderThatAltersItsInputFails() throws Exception {
    TaskReport report = run(ALTER);

    assertEnded(report, Result.FAILED);
    assertThat(report.message()).contains("have the command work on a copy");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1000})
  void nextTaskReadsTheOriginalContent(long copiedBytes) throws Exception {
    cache.close();
    open(copiedBytes);
    assertThat(run("true").usage().inputBytesCached()).isZero();
    assertThat(run("true").usage().inputBytesCached()).isEqualTo(4);

    TaskReport bad = run(making("r", ALTER + "; touch r"));
    TaskReport good = run(making("s", "cp a s"));

    assertEnded(bad, Result.FAILED);
    assertThat(bad.message()).startsWith("input 'a' altered while the command ran");
    assertEnded(good, Result.SUCCEEDED);
    assertThat(store.read("/data/s")).isEqualTo("1234");
  }

  @Test
  void alteredInputOfAFailedCommandIsDiscarded() throws Exception {
    TaskReport bad = run(ALTER + "; exit 3");

    assertEnded(bad, Result.FAILED);
    assertThat(bad.exitCode()).isEqualTo(3);
    assertThat(temp.resolve("cache/spoiled")).isNotEmptyDirectory();
    assertEnded(run("test \"$(cat a)\" = 1234"), Result.SUCCEEDED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "exit 1"})
  void readerOfAnInputAlteredByAnotherTaskIsRetried(String end) throws Exception {
    Future<TaskReport> reader = begin("p", reading(pause("p") + end));

    TaskReport first = run(ALTER);
    TaskReport second = resume("p", reader);

    assertEnded(second, Result.INFRASTRUCTURE);
    assertThat(second.message())
        .contains("by another task of this node")
        .contains("it is retried on this node with a private copy");
    // The writer is not known yet.
    assertEnded(first, Result.INFRASTRUCTURE);
    assertEnded(run(ALTER), Result.FAILED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mv a r; chmod u+w r; printf 5678 >> r",
        "ln a r; chmod u+w r; printf 5 > r; rm a",
        "mv a \"$TMPDIR/b\"; chmod u+w \"$TMPDIR/b\"; printf 56 > \"$TMPDIR/b\"; touch r",
        "chmod u+w a; printf 56 > a; cp a r; rm a",
        "ln a r; chmod u+w a; printf 56 > a",
        "chmod u+w a; cp a r; printf 56 > a; mv r a; touch r"
      })
  void alteringAnInputUnderAnotherNameFails(String script) throws Exception {
    TaskReport report = run(making("r", script));

    assertEnded(report, Result.FAILED);
    assertThat(report.message()).startsWith("input 'a' altered while the command ran");
    assertThat(store.file("/data/r")).doesNotExist();
    assertThat(temp.resolve("cache/spoiled")).isNotEmptyDirectory();
    assertThat(temp.resolve("cache/contents")).isEmptyDirectory();
    // A change to the next task's private file harms no other task.
    assertEnded(run(making("s", "mv a s; chmod u+w s; printf 5678 >> s")), Result.SUCCEEDED);
    assertThat(store.read("/data/s")).isEqualTo("12345678");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rm a; touch r",
        "mv a r",
        "ln a r",
        "ln -s a r",
        "chmod 755 a; mv a r",
        "mv a r; touch r",
        "ln a r; rm a; touch r",
        "touch a; cp a r",
        "touch -d @1 a; cat a > r; rm a"
      })
  void removingOrMovingAnInputDoesNotAlterIt(String script) throws Exception {
    assertEnded(run(making("r", script)), Result.SUCCEEDED);

    TaskReport next = run("test \"$(cat a)\" = 1234");
    assertEnded(next, Result.SUCCEEDED);
    assertThat(next.usage().inputBytesCached()).isEqualTo(4);
    assertThat(temp.resolve("cache/spoiled")).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"mv a r4", "ln -s a r4", "cat a > r4; rm a"})
  void outputThatAnotherTaskAltersIsNotCommitted(String script) throws Exception {
    Future<TaskReport> reader = begin("p", making("r4", pause("p") + script));

    TaskReport writer = run(making("r3", "mv a r3; chmod u+w r3; printf 5678 >> r3"));
    TaskReport first = resume("p", reader);

    assertEnded(first, Result.INFRASTRUCTURE);
    assertEnded(writer, Result.INFRASTRUCTURE);
    assertThat(store.file("/data/r3")).doesNotExist();
    assertThat(store.file("/data/r4")).doesNotExist();
    assertEnded(run(making("r4", script)), Result.SUCCEEDED);
    assertThat(store.read("/data/r4")).isEqualTo("1234");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mv a b; chmod u+w b; printf 56 > b", "chmod u+w a; printf 56 > a; rm a"})
  void readerIsRetriedWhileTheWriterStillRuns(String script) throws Exception {
    Future<TaskReport> reader = begin("p", reading("cat a; rm a; " + pause("p") + "true"));
    Future<TaskReport> writer = begin("q", reading(script + "; " + pause("q")));

    TaskReport report = resume("p", reader);

    assertEnded(report, Result.INFRASTRUCTURE);
    assertThat(report.message()).contains("by another task of this node");
    stop(writer);
  }

  @Test
  void readerIsRetriedAfterTheWriterWasStopped() throws Exception {
    Future<TaskReport> reader = begin("p", reading(pause("p") + "true"));
    stop(begin("q", reading(ALTER + "; " + pause("q"))));

    assertEnded(resume("p", reader), Result.INFRASTRUCTURE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mv a r", "ln -s a r"})
  void outputAlteredWhileItIsStoredIsNotCommitted(String script) throws Exception {
    store.beforePut(
        source -> {
          assertThat(source.toFile().setWritable(true)).isTrue();
          Files.writeString(source, "5678");
        });

    TaskReport first = run(making("r", script));
    store.beforePut(source -> {});
    TaskReport second = run(making("r", script));

    assertEnded(first, Result.INFRASTRUCTURE);
    assertThat(first.message())
        .isEqualTo(
            "input 'a' altered by another task of this node that reads the same file while it was"
                + " stored as an output: the task is retried on this node with a private copy");
    assertEnded(second, Result.SUCCEEDED);
    assertThat(store.read("/data/r")).isEqualTo("1234");
    assertThat(store.file("/data")).isDirectoryNotContaining("glob:**weir*");
  }

  @Test
  void outputWithANewTimestampIsCommitted() throws Exception {
    store.beforePut(source -> Files.setLastModifiedTime(source, FileTime.fromMillis(1)));

    assertEnded(run(making("r", "mv a r")), Result.SUCCEEDED);

    assertThat(run("true").usage().inputBytesCached()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rm -rf ../*", "rm -r ../held", "mv ../held ../tmp", "rm ../held/*"})
  void removingTheDirectoryBesideTheSandboxFails(String script) throws Exception {
    TaskReport report = run(making("r", "chmod u+w a; printf 56 > a; touch r; " + script));

    assertEnded(report, Result.FAILED);
    assertThat(report.message())
        .startsWith("the command removed a directory beside its sandbox, '../held': let it");
    assertThat(temp.resolve("cache/spoiled")).isNotEmptyDirectory();
    assertEnded(run("test \"$(cat a)\" = 1234"), Result.SUCCEEDED);
  }

  @Test
  void creatingADirectoryBesideTheSandboxFails() throws Exception {
    TaskReport report = run(shell(slots(), slots(), "mkdir ../held"));

    assertEnded(report, Result.FAILED);
    assertThat(report.message()).startsWith("the command wrote outside its sandbox: '../held'");
  }

  @Test
  void commandMayAlterItsCopy() throws Exception {
    TaskReport filled = alterCopy();
    TaskReport cached = alterCopy();

    assertEnded(filled, Result.SUCCEEDED);
    assertEnded(cached, Result.SUCCEEDED);
    assertThat(cached.usage().inputBytesCached()).isEqualTo(4);
    TaskReport other = run("test \"$(cat a)\" = 1234 && " + hasMode("-r--,3"));
    assertEnded(other, Result.SUCCEEDED);
    assertThat(other.usage().inputBytesCached()).isEqualTo(4);
    assertThat(temp.resolve("cache/spoiled")).isEmptyDirectory();
    assertThat(store.read("/data/a")).isEqualTo("1234");
    assertThat(store.fetches()).isEqualTo(1);
  }

  private TaskReport alterCopy() throws Exception {
    String script = hasMode("-rw-,1") + " && test \"$(cat a)\" = 1234 && printf 5678 > a";
    return run(shell(List.of(INPUT.asCopy()), slots(), script));
  }

  /** Shell code that checks the owner's permissions and the link count of the file. */
  private static String hasMode(String rightsAndNames) {
    return "test \"$(stat -c %A,%h a | sed -E 's/^(....)[^,]*/\\1/')\" = " + rightsAndNames;
  }
}
