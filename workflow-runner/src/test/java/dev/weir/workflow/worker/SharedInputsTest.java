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
    TaskOrder order = order("task", script);
    return runner.run(order, gate.ticket(order.needs()));
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
      assertThat(second.message()).contains("by another task of this node");
      // Whose doing it was is not known yet.
      assertThat(first.result()).isEqualTo(Result.INFRASTRUCTURE);
      assertThat(run("chmod u+w a; printf 5678 > a").result()).isEqualTo(Result.FAILED);
      // Of the next round.
      store.write("/data/a", "4321" + end);
    }
  }

  @Test
  void aCopyOfAContentIsTheCommandsOwn() throws Exception {
    TaskReport filled = alterCopy();
    TaskReport cached = alterCopy();

    assertThat(filled.result()).as(filled.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(cached.result()).as(cached.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(cached.usage().inputBytesCached()).isEqualTo(4);
    TaskReport other = run("test \"$(cat a)\" = 1234 && " + is("-r--,2"));
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
