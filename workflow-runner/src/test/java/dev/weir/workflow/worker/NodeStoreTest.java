package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.cache.CacheClient;
import dev.weir.workflow.cache.CacheDirectory;
import dev.weir.workflow.cache.CacheLimit;
import dev.weir.workflow.cache.CachingStore;
import dev.weir.workflow.cache.CoordinatedTransfers;
import dev.weir.workflow.cache.NodeCache;
import dev.weir.workflow.cache.NodeReader;
import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.FileSlot.Kind;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.record.StoredFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Outputs that stay in the store of their node, and tasks of this node and another that read them.
 */
class NodeStoreTest extends TaskRunnerTestBase {

  private static final int LIMIT = 5_000_000;

  private final CacheSecurity security = CacheSecurity.plain(Secret.generate(new SecureRandom()));
  private final List<NodeCache> caches = new ArrayList<>();
  private volatile String address = "";

  /** Requests for a permit of the ApplicationMaster. */
  private final AtomicInteger permits = new AtomicInteger();

  private final AtomicInteger connections = new AtomicInteger();

  private CachingStore here;
  private CachingStore there;

  /** A worker of the same node whose sandboxes are on another disk. */
  private CachingStore beside;

  @BeforeEach
  void openNodes() throws IOException {
    here = node("here");
    serve(here);
    there = node("there");
    beside = node("beside", "here");
    makeRunner(here);
  }

  private void serve(CachingStore node) throws IOException {
    node.share(
        () -> security,
        NodeStoreTest::daemon,
        message -> {
          if (message instanceof Message.Serving serving) {
            address = "localhost:" + serving.port();
          }
        },
        PortRange.ANY);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    return thread;
  }

  private CacheDirectory disk(String name) throws IOException {
    return CacheDirectory.open(temp.resolve("cache-" + name), CacheLimit.of(LIMIT));
  }

  private CachingStore node(String name, String... otherDisks) throws IOException {
    List<CacheDirectory> others = new ArrayList<>();
    for (String other : otherDisks) {
      others.add(disk(other));
    }
    NodeCache cache = new NodeCache(disk(name), others, Clock.systemUTC(), NodeCache.COPIED_BYTES);
    caches.add(cache);
    // A node that reads a dropped file of its own waits for itself until the client gives up.
    CacheClient client =
        new CacheClient(
            () -> {
              connections.incrementAndGet();
              return security;
            },
            () -> 100 * System.nanoTime());
    CoordinatedTransfers turns = new CoordinatedTransfers(name, 1L << 28, 100, System::nanoTime);
    turns.ask(
        message -> {
          if (message instanceof Message.TransferWish wish && wish.fromCache()) {
            permits.addAndGet(wish.content().isEmpty() ? 0 : 1);
            turns.come(new Message.TransferTurn(wish.number(), "here", address));
          }
        });
    turns.share(client);
    return new CachingStore(
        store, cache, new NodeReader(turns, client, millis -> {}, System::nanoTime));
  }

  @AfterEach
  void closeNodes() throws IOException {
    for (NodeCache cache : caches) {
      cache.close();
    }
  }

  private static FileSlot slot(String name, Kind kind) {
    return new FileSlot(name, "/data/" + name, 0, kind, 0);
  }

  private StoredFile make(String script) throws InterruptedException {
    TaskReport report = run(shell(List.of(), List.of(slot("made", Kind.KEPT)), script));
    assertEnded(report, Result.SUCCEEDED);
    return report.outputs().get(0);
  }

  private StoredFile make(int bytes) throws InterruptedException {
    StoredFile made = make("head -c " + bytes + " /dev/urandom > made");
    assertThat(made.onNode()).isTrue();
    return made;
  }

  private TaskReport read(StoredFile made, Kind kind, String script) throws InterruptedException {
    return run(
        shell(
            List.of(slot("made", kind).with(NodeContent.of(made))),
            List.of(slot("copy", Kind.WHOLE)),
            script));
  }

  private List<Path> contents(String node) throws IOException {
    try (Stream<Path> files = Files.list(temp.resolve("cache-" + node).resolve("contents"))) {
      return files.toList();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 2_000_000})
  void outputStaysOnItsNode(int bytes) throws Exception {
    StoredFile made = make(bytes);

    assertThat(made.sizeBytes()).isEqualTo(bytes);
    assertThat(made.bytesByHost()).containsOnlyKeys(store.node());
    assertThat(everythingBelow("store")).isEmpty();
    TaskReport read = read(made, Kind.HANDED, "cp made copy");
    assertEnded(read, Result.SUCCEEDED);
    assertThat(read.inputs().get(0).crc32c()).isEqualTo(made.crc32c());
    assertThat(read.outputs().get(0).crc32c()).isEqualTo(made.crc32c());
    assertThat(read.usage().inputBytesCached()).isEqualTo(bytes);
    // It stays for the next reader.
    assertEnded(read(made, Kind.SHARED, "cp made copy"), Result.SUCCEEDED);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 2_000_000})
  void anotherNodeFetchesIt(int bytes) throws Exception {
    StoredFile made = make(bytes);
    makeRunner(there);

    for (Kind kind : List.of(Kind.HANDED, Kind.SHARED)) {
      TaskReport read = read(made, kind, "cp made copy");
      assertEnded(read, Result.SUCCEEDED);
      assertThat(read.outputs().get(0).crc32c()).isEqualTo(made.crc32c());
      assertThat(read.usage().inputBytesRemote()).isEqualTo(bytes);
    }
    assertThat(contents("there")).hasSize(bytes == 0 ? 0 : 1);
  }

  @Test
  void tinyFilesOfAnotherNodeComeInBatches() throws Exception {
    List<String> names = IntStream.range(0, 64).mapToObj(i -> "made" + i).toList();
    TaskReport made =
        run(
            shell(
                List.of(),
                names.stream().map(name -> slot(name, Kind.KEPT)).toList(),
                "for name in " + String.join(" ", names) + "; do echo $name > $name; done"));
    assertEnded(made, Result.SUCCEEDED);
    List<FileSlot> inputs =
        made.outputs().stream()
            .map(
                file ->
                    slot(file.name(), Kind.HANDED)
                        .with(
                            new NodeContent(
                                file.sizeBytes(),
                                file.crc32c(),
                                file.nodeMillis(),
                                List.of("elsewhere"))))
            .toList();
    TaskOrder order =
        shell(
            inputs, List.of(slot("all", Kind.WHOLE)), "cat " + String.join(" ", names) + " > all");
    makeRunner(there);

    TaskReport read = run(order);

    assertEnded(read, Result.SUCCEEDED);
    assertThat(store.file("/data/all")).hasContent(String.join("\n", names));
    assertThat(read.usage().inputBytesRemote()).isEqualTo(read.outputs().get(0).sizeBytes());
    assertThat(connections).as("four files each").hasValue(16);
    here.drop(new Message.StoreDrop("/data/made5", NodeContent.of(made.outputs().get(5))));
    TaskReport failed = run(order);
    assertEnded(failed, Result.INPUT_LOST);
    assertThat(failed.lostInputs()).containsExactly("made5");
  }

  @ParameterizedTest
  @CsvSource({"300000, SHARED, 1", "300000, HANDED, 0", "10, SHARED, 0", "2000000, HANDED, 1"})
  void readersOfALargeFileAwaitAPermit(int bytes, Kind kind, int expected) throws Exception {
    StoredFile made = make(bytes);
    makeRunner(there);

    assertEnded(read(made, kind, "cp made copy"), Result.SUCCEEDED);
    assertThat(permits).hasValue(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 2_000_000})
  void workersOnOtherDisksReadIt(int bytes) throws Exception {
    StoredFile made = make(bytes);
    makeRunner(beside);

    for (Kind kind : List.of(Kind.HANDED, Kind.SHARED, Kind.SHARED)) {
      TaskReport read = read(made, kind, "cp made copy");
      assertEnded(read, Result.SUCCEEDED);
      assertThat(read.outputs().get(0).crc32c()).isEqualTo(made.crc32c());
      assertThat(read.usage().inputBytesCached()).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 2_000_000})
  void workersOnOtherDisksServeAndDropIt(int bytes) throws Exception {
    StoredFile made = make(bytes);
    serve(beside);
    makeRunner(there);

    TaskReport read = read(made, Kind.HANDED, "cp made copy");
    assertEnded(read, Result.SUCCEEDED);
    assertThat(read.usage().inputBytesRemote()).isEqualTo(bytes);
    beside.drop(new Message.StoreDrop("/data/made", NodeContent.of(made)));
    assertThat(contents("here")).isEmpty();
    makeRunner(beside);
    assertEnded(read(made, Kind.SHARED, "cp made copy"), Result.INPUT_LOST);
  }

  @Test
  void fileAlteredOnAnotherDiskIsLost() throws Exception {
    StoredFile made = make(2_000_000);
    Path content = contents("here").get(0);
    FileTime modified = Files.getLastModifiedTime(content);
    byte[] bytes = Files.readAllBytes(content);
    bytes[1_000_000]++;
    Files.setPosixFilePermissions(content, PosixFilePermissions.fromString("rw-------"));
    Files.write(content, bytes);
    Files.setLastModifiedTime(content, modified);
    makeRunner(beside);

    assertEnded(read(made, Kind.SHARED, "cp made copy"), Result.INPUT_LOST);
  }

  @Test
  void outputGoesToHdfsWithoutRoom() throws Exception {
    make(3_000_000);
    StoredFile second = make("head -c 3000000 /dev/zero > made");

    assertThat(second.onNode()).isFalse();
    assertThat(store.file("/data/made")).hasSize(3_000_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"echo a > b; ln b made", "echo a > b; ln -s b made"})
  void outputWithASecondNameGoesToHdfs(String script) throws Exception {
    assertThat(make(script).onNode()).isFalse();
    assertThat(store.file("/data/made")).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 2_000_000})
  void droppedFileIsLost(int bytes) throws Exception {
    StoredFile made = make(bytes);
    here.drop(new Message.StoreDrop("/data/made", NodeContent.of(made)));
    assertThat(contents("here")).isEmpty();

    for (CachingStore node : List.of(here, there)) {
      makeRunner(node);
      TaskReport read = read(made, Kind.SHARED, "cp made copy");
      assertEnded(read, Result.INPUT_LOST);
      assertThat(read.lostInputs()).containsExactly("made");
    }
  }

  @Test
  void alteredFileIsLost() throws Exception {
    StoredFile made = make(2_000_000);

    TaskReport bad = read(made, Kind.SHARED, "chmod u+w made; echo x >> made; touch copy");
    assertThat(bad.result()).isNotEqualTo(Result.SUCCEEDED);
    assertEnded(read(made, Kind.SHARED, "cp made copy"), Result.INPUT_LOST);
  }

  @Test
  void attemptWithoutPermissionLeavesNothing() throws Exception {
    TaskOrder order =
        shell(
            List.of(),
            List.of(slot("made", Kind.KEPT), slot("b", Kind.WHOLE)),
            "echo > made; echo > b");

    Thread stopped =
        new Thread(
            () -> {
              try {
                runner.run(
                    order,
                    gate.ticket(order.needs()),
                    asks -> {
                      throw new InterruptedException("refused");
                    });
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    stopped.start();
    stopped.join();

    assertThat(contents("here")).isEmpty();
    assertThat(everythingBelow("store")).isEmpty();
  }
}
