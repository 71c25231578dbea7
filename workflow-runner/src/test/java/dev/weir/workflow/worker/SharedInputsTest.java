package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.protocol.Checksum;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.ReadFile;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of tasks that have one content of the cache, when one of them writes to it. */
class SharedInputsTest {

  private static final FileSlot INPUT = new FileSlot("a", "/data/a", 4, FileSlot.Kind.SHARED, 0);

  @TempDir private Path temp;
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());
  private final CommandShells shells = new CommandShells(Map.of("PATH", "/usr/bin:/bin"), guard);
  private final Transfers transfers = new Transfers(pool, pool, pool, 64 << 20);
  private final Gate gate = new Gate(4, 1L << 30);
  private DirectoryStore store;
  private NodeCache cache;
  private TaskRunner runner;
  private volatile Happening whenUsed = () -> {};

  @BeforeEach
  void open() throws IOException {
    store = new DirectoryStore(Files.createDirectory(temp.resolve("store")));
    store.write("/data/a", "1234");
    Files.createDirectory(temp.resolve("logs"));
    cache =
        new NodeCache(
            CacheSpace.open(temp.resolve("cache"), CacheRoom.of(1 << 20)), new HookedClock(), 0);
    runner =
        new TaskRunner(
            new CachingStore(store, cache),
            TestTools.places(temp),
            TestTools.of(transfers, shells));
  }

  @AfterEach
  void close() throws IOException {
    pool.shutdownNow();
    shells.close();
    guard.close();
    cache.close();
  }

  private static TaskOrder order(String task, String script) {
    return TaskOrders.shell(task, List.of(INPUT), List.of(), script);
  }

  private TaskReport run(String script) throws Exception {
    return run(order("task", script));
  }

  @Test
  void whoAltersAContentAloneHasFailed() throws Exception {
    TaskReport report = run("chmod u+w a; printf 5678 > a");

    assertThat(report.result()).isEqualTo(Result.FAILED);
    assertThat(report.message()).contains("have the command work on a copy");
  }

  @Test
  void aCommandThatFailsHasAlteredItsInputAllTheSame() throws Exception {
    TaskReport bad = run("chmod u+w a; printf 5678 > a; exit 3");

    assertThat(bad.result()).isEqualTo(Result.FAILED);
    assertThat(bad.exitCode()).isEqualTo(3);
    assertThat(temp.resolve("cache/spoiled")).isNotEmptyDirectory();
    assertThat(run("test \"$(cat a)\" = 1234").result()).isEqualTo(Result.SUCCEEDED);
  }

  @Test
  void whoReadsWhatAnotherAltersHasNotFailed() throws Exception {
    for (String end : List.of("", "; exit 1")) {
      Path sees = temp.resolve("sees" + end.length());
      Path go = temp.resolve("go" + end.length());
      Future<TaskReport> innocent =
          pool.submit(
              () ->
                  run(
                      "touch '"
                          + sees
                          + "'; until test -e '"
                          + go
                          + "'; do sleep 0.05; done"
                          + end));
      await().until(() -> Files.exists(sees));

      TaskReport first = run("chmod u+w a; printf 5678 > a");
      Files.createFile(go);

      TaskReport second = innocent.get(60, TimeUnit.SECONDS);
      assertThat(second.result()).as(second.message()).isEqualTo(Result.INFRASTRUCTURE);
      assertThat(second.message())
          .contains("by another task of this node")
          .contains("it is tried again, on this node with a copy of its own");
      // Whose doing it was is not known yet.
      assertThat(first.result()).isEqualTo(Result.INFRASTRUCTURE);
      assertThat(run("chmod u+w a; printf 5678 > a").result()).isEqualTo(Result.FAILED);
      // Of the next round.
      store.write("/data/a", "4321" + end);
    }
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
  void whoAltersAContentUnderAnotherNameHasFailed(String script) throws Exception {
    TaskReport report = run(making("r", script));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.FAILED);
    assertThat(report.message()).startsWith("input 'a' altered while the command ran");
    assertThat(store.file("/data/r")).doesNotExist();
    assertThat(temp.resolve("cache/spoiled")).isNotEmptyDirectory();
    assertThat(temp.resolve("cache/contents")).isEmptyDirectory();
    // What the next one does to a file of its own is nobody's harm.
    TaskReport next = run(making("s", "mv a s; chmod u+w s; printf 5678 >> s"));
    assertThat(next.result()).as(next.message()).isEqualTo(Result.SUCCEEDED);
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
  void whoTakesItsInputAwayHasNotAlteredIt(String script) throws Exception {
    TaskReport report = run(making("r", script));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(run("test \"$(cat a)\" = 1234").usage().inputBytesCached()).isEqualTo(4);
    assertThat(temp.resolve("cache/spoiled")).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"mv a r4", "ln -s a r4", "cat a > r4; rm a"})
  void whatAnotherAltersUnderAnotherNameIsNobodysResult(String innocent) throws Exception {
    Path go = temp.resolve("go");
    Future<TaskReport> waiting = pool.submit(() -> run(making("r4", untilThere(go, innocent))));
    await().until(() -> Files.exists(temp.resolve("go.sees")));

    TaskReport evil = run(making("r3", "mv a r3; chmod u+w r3; printf 5678 >> r3"));
    Files.createFile(go);

    TaskReport first = waiting.get(60, TimeUnit.SECONDS);
    assertThat(first.result()).as(first.message()).isEqualTo(Result.INFRASTRUCTURE);
    assertThat(evil.result()).as(evil.message()).isEqualTo(Result.INFRASTRUCTURE);
    assertThat(store.file("/data/r3")).doesNotExist();
    assertThat(store.file("/data/r4")).doesNotExist();
    TaskReport again = run(making("r4", innocent));
    assertThat(again.result()).as(again.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/r4")).isEqualTo("1234");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mv a b; chmod u+w b; printf 56 > b", "chmod u+w a; printf 56 > a; rm a"})
  void nobodyIsBlamedForWhatOneAltersThatStillRuns(String script) throws Exception {
    Path go = temp.resolve("go");
    Path sees = temp.resolve("altered");
    Future<TaskReport> innocent = pool.submit(() -> run("cat a; rm a; " + untilThere(go, "true")));
    await().until(() -> Files.exists(temp.resolve("go.sees")));
    Future<TaskReport> evil = pool.submit(() -> run(script + "; touch '" + sees + "'; sleep 1000"));
    await().until(() -> Files.exists(sees));
    Files.createFile(go);

    TaskReport report = innocent.get(60, TimeUnit.SECONDS);

    assertThat(report.result()).as(report.message()).isEqualTo(Result.INFRASTRUCTURE);
    assertThat(report.message()).contains("by another task of this node");
    stop(evil);
  }

  @Test
  void whatOneThatWasStoppedHadAlteredIsNotHeldAgainstOthers() throws Exception {
    Path go = temp.resolve("go");
    Path sees = temp.resolve("altered");
    Future<TaskReport> innocent = pool.submit(() -> run(untilThere(go, "true")));
    await().until(() -> Files.exists(temp.resolve("go.sees")));
    Future<TaskReport> evil =
        pool.submit(() -> run("chmod u+w a; printf 56 > a; touch '" + sees + "'; exec sleep 1000"));
    await().until(() -> Files.exists(sees));
    stop(evil);
    Files.createFile(go);

    TaskReport report = innocent.get(60, TimeUnit.SECONDS);

    assertThat(report.result()).as(report.message()).isEqualTo(Result.INFRASTRUCTURE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mv a r", "ln -s a r"})
  void whatIsAlteredWhileItIsStoredDoesNotGetItsName(String script) throws Exception {
    store.beforePut(
        source -> {
          assertThat(source.toFile().setWritable(true)).isTrue();
          Files.writeString(source, "5678");
        });

    TaskReport first = run(making("r", script));
    store.beforePut(source -> {});
    TaskReport second = run(making("r", script));

    assertThat(first.result()).as(first.message()).isEqualTo(Result.INFRASTRUCTURE);
    assertThat(first.message())
        .isEqualTo(
            "input 'a' altered, by another task of this node that reads the same file, while it was"
                + " stored as an output: the task is tried again, on this node with a copy of its"
                + " own");
    assertThat(second.result()).as(second.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/r")).isEqualTo("1234");
    assertThat(store.file("/data")).isDirectoryNotContaining("glob:**weir*");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rm -rf ../*", "rm -r ../held", "mv ../held ../tmp", "rm ../held/*"})
  void whoRemovesWhatIsBesideItsSandboxHasFailed(String script) throws Exception {
    TaskReport report = run(making("r", "chmod u+w a; printf 56 > a; touch r; " + script));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.FAILED);
    assertThat(report.message())
        .startsWith("the command removed what is beside its sandbox, '../held': let it");
    assertThat(temp.resolve("cache/spoiled")).isNotEmptyDirectory();
    TaskReport next = run("test \"$(cat a)\" = 1234");
    assertThat(next.result()).as(next.message()).isEqualTo(Result.SUCCEEDED);
  }

  @Test
  void whereNoInputIsHeldNothingOfThatNameIsTheSandboxes() throws Exception {
    TaskReport report = run(TaskOrders.shell("t", List.of(), List.of(), "mkdir ../held"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.FAILED);
    assertThat(report.message()).startsWith("the command wrote outside its sandbox: '../held'");
  }

  @Test
  void whatIsOnlyTouchedWhileItIsStoredIsWhole() throws Exception {
    store.beforePut(source -> Files.setLastModifiedTime(source, FileTime.fromMillis(1)));

    TaskReport report = run(making("r", "mv a r"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(run("true").usage().inputBytesCached()).isEqualTo(4);
  }

  /** Stops the second attempt that was made, and waits until nothing of it is there. */
  private void stop(Future<TaskReport> second) {
    second.cancel(true);
    await().until(() -> Files.notExists(temp.resolve("sandboxes/attempt-2")));
  }

  private static TaskOrder making(String output, String script) {
    FileSlot made = new FileSlot(output, "/data/" + output, 4);
    return TaskOrders.shell("making-" + output, List.of(INPUT), List.of(made), script);
  }

  /** Tells that it runs by a file of that name and {@code .sees}, and waits for the other. */
  private static String untilThere(Path go, String then) {
    return "touch '%s.sees'; until test -e '%s'; do sleep 0.05; done; %s".formatted(go, go, then);
  }

  private TaskReport run(TaskOrder order) throws InterruptedException {
    return runner.run(order, gate.ticket(order.needs()));
  }

  @Test
  void aCopyOfAContentIsTheCommandsOwn() throws Exception {
    TaskReport filled = alterCopy();
    TaskReport cached = alterCopy();

    assertThat(filled.result()).as(filled.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(cached.result()).as(cached.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(cached.usage().inputBytesCached()).isEqualTo(4);
    TaskReport other = run("test \"$(cat a)\" = 1234 && " + is("-r--,3"));
    assertThat(other.result()).as(other.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(other.usage().inputBytesCached()).isEqualTo(4);
    assertThat(temp.resolve("cache/spoiled")).isEmptyDirectory();
    assertThat(store.read("/data/a")).isEqualTo("1234");
    assertThat(store.fetches()).isEqualTo(1);
  }

  private TaskReport alterCopy() throws Exception {
    String script = is("-rw-,1") + " && test \"$(cat a)\" = 1234 && printf 5678 > a";
    TaskOrder order = TaskOrders.shell("task", List.of(INPUT.asCopy()), List.of(), script);
    return runner.run(order, gate.ticket(order.needs()));
  }

  /** Its owner's rights to the file, and how many names it has. */
  private static String is(String rightsAndNames) {
    return "test \"$(stat -c %A,%h a | sed -E 's/^(....)[^,]*/\\1/')\" = " + rightsAndNames;
  }

  @Test
  void nothingIsCopiedThatAnotherHasAlteredSinceItWasTakenFromTheCache() throws Exception {
    StageIn stageIn = new StageIn(new CachingStore(store, cache), transfers);
    TaskOrder linked = order("linked", "true");
    TaskOrder copied = TaskOrders.shell("copied", List.of(INPUT.asCopy()), List.of(), "true");
    try (Sandbox first = Sandbox.create(temp.resolve("sandboxes"), "first");
        Sandbox second = Sandbox.create(temp.resolve("sandboxes"), "second")) {
      stageIn.run(linked, first);
      whenUsed =
          () -> {
            whenUsed = () -> {};
            assertThat(first.file("a").toFile().setWritable(true)).isTrue();
            Files.writeString(first.file("a"), "5678");
          };

      stageIn.run(copied, second);

      assertThat(second.file("a")).hasContent("1234");
      assertThat(first.file("a")).hasContent("5678");
      assertThat(second.temp()).isEmptyDirectory();
    }
  }

  @Test
  void whatIsAlteredBeforeItIsSealedIsFetchedAnew() throws Exception {
    StageIn stageIn = new StageIn(new CachingStore(store, cache), transfers);
    TaskOrder order = order("task", "true");
    try (Sandbox first = Sandbox.create(temp.resolve("sandboxes"), "first");
        Sandbox second = Sandbox.create(temp.resolve("sandboxes"), "second")) {
      stageIn.run(order, first);
      // The cache has looked whether it is whole, and notes that it was used.
      whenUsed =
          () -> {
            whenUsed = () -> {};
            assertThat(second.file("a").toFile().setWritable(true)).isTrue();
            Files.writeString(first.file("a"), "5678");
          };

      List<ReadFile> read = stageIn.run(order, second).read();

      CRC32C crc = new CRC32C();
      crc.update(Files.readAllBytes(second.file("a")));
      assertThat(second.file("a")).hasContent("1234");
      assertThat(first.file("a")).hasContent("5678");
      assertThat(read).containsExactly(new ReadFile("a", 4, Checksum.of(crc)));
    }
  }

  @Test
  void nothingIsHeldOfAContentInWhosePlaceCameOneThatIsTheCommandsOwn() throws Exception {
    TaskOrder order = order("task", "true");
    try (NodeCache linking =
            new NodeCache(
                CacheSpace.open(temp.resolve("linking"), CacheRoom.of(1 << 20)),
                new HookedClock(),
                3);
        Sandbox first = Sandbox.create(temp.resolve("sandboxes"), "first");
        Sandbox second = Sandbox.create(temp.resolve("sandboxes"), "second")) {
      StageIn stageIn = new StageIn(new CachingStore(store, linking), transfers);
      stageIn.run(order, first);
      whenUsed =
          () -> {
            whenUsed = () -> {};
            assertThat(first.file("a").toFile().setWritable(true)).isTrue();
            Files.writeString(first.file("a"), "5678");
            store.write("/data/a", "12");
          };

      stageIn.run(order, second);

      assertThat(second.file("a")).hasContent("12");
      assertThat(second.held()).doesNotExist();
    }
  }

  /** What happens when the cache notes that a content is used. */
  private interface Happening {
    void happen() throws IOException;
  }

  private final class HookedClock extends Clock {

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      try {
        whenUsed.happen();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return Instant.now();
    }
  }
}
