package dev.weir.service.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.index.Match;
import dev.weir.hints.store.InMemoryHintStore;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reconciler on a real NameNode. */
class ReconcilerHdfsTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir private static java.nio.file.Path temp;
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;

  private final InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
  private final AtomicReference<ReconcilerStore.@Nullable Saved> saved = new AtomicReference<>();
  private AtomicBoolean leading = new AtomicBoolean();
  private Thread thread = new Thread(() -> {});

  @BeforeAll
  static void startCluster() throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, temp.toString());
    configuration.setInt("dfs.replication", 2);
    cluster = new MiniDFSCluster.Builder(configuration).numDataNodes(1).build();
    fs = cluster.getFileSystem();
  }

  @AfterAll
  static void stopCluster() {
    cluster.shutdown();
  }

  @BeforeEach
  void lead() {
    leading = new AtomicBoolean(true);
    ReconcilerSettings settings =
        new ReconcilerSettings(
            true, Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(200), 100);
    Reconciler reconciler = new Reconciler(() -> term(), store, settings, Clock.systemUTC());
    AtomicBoolean mine = leading;
    thread =
        new Thread(
            () -> {
              try {
                reconciler.lead(mine::get);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    thread.start();
    // The reconciler handles only changes after its first listing as edits.
    await().until(() -> reconciler.status().containsKey("transaction"));
  }

  @AfterEach
  void stop() throws Exception {
    leading.set(false);
    thread.join();
  }

  private Reconciler.Term term() {
    ReconcilerMetrics counters = ReconcilerMetrics.register(new MetricsSystemImpl("test"));
    ReconcilerStore memory =
        new ReconcilerStore() {
          @Override
          public Optional<Saved> load() {
            return Optional.ofNullable(saved.get());
          }

          @Override
          public void save(Saved state) {
            saved.set(state);
          }

          @Override
          public void close() {}
        };
    return new Reconciler.Term(
        new Reconciliation(
            new HdfsNamespace(fs),
            store,
            new Admission(32, 9, user -> false),
            counters,
            new Reconciliation.Setup(100, Clock.systemUTC())),
        fs.getClient().getNamenode(),
        memory,
        counters,
        () -> {});
  }

  private void setHint(String path, String text) throws Exception {
    fs.setXAttr(new Path(path), Namespace.HINT_ATTRIBUTE, text.getBytes(StandardCharsets.UTF_8));
  }

  private Optional<String> hint(String path) {
    return store.snapshot().lookup(path).map(Match::hint).map(HintText::format);
  }

  private void put(String id, String pattern, Hint hint) {
    store.put(
        new HintSet(
            id,
            System.getProperty("user.name"),
            null,
            List.of(new Rule(PathPattern.parse(pattern), hint))));
  }

  @Test
  void followsHintsOfPaths() throws Exception {
    fs.mkdirs(new Path("/a/b%20 c"));
    setHint("/a/b%20 c", "pipeline");
    await().atMost(LONG).until(() -> hint("/a/b%20 c/x").equals(Optional.of("pipeline")));
    fs.rename(new Path("/a"), new Path("/moved"));
    await().atMost(LONG).until(() -> hint("/moved/b%20 c/x").equals(Optional.of("pipeline")));
    await().atMost(LONG).until(() -> hint("/a/b%20 c/x").isEmpty());
    setHint("/moved/b%20 c", "broadcast=4");
    await().atMost(LONG).until(() -> hint("/moved/b%20 c/x").equals(Optional.of("broadcast=4")));
    fs.removeXAttr(new Path("/moved/b%20 c"), Namespace.HINT_ATTRIBUTE);
    await().atMost(LONG).until(() -> hint("/moved/b%20 c/x").isEmpty());
    setHint("/moved/b%20 c", "reuse");
    await().atMost(LONG).until(() -> hint("/moved/b%20 c/x").isPresent());
    fs.delete(new Path("/moved"), true);
    await().atMost(LONG).until(() -> hint("/moved/b%20 c/x").isEmpty());
  }

  @Test
  void resumesAtPositionOfLastLeader() throws Exception {
    fs.mkdirs(new Path("/later"));
    await().atMost(LONG).until(() -> saved.get() != null);
    stop();
    setHint("/later", "pipeline");
    lead();
    await().atMost(LONG).until(() -> hint("/later/x").isPresent());
  }

  @Test
  void detectsPathsWritableByOthers() throws Exception {
    assertThat(isShared("/shared/own", "755", "")).isFalse();
    assertThat(isShared("/shared/group", "775", "")).isTrue();
    assertThat(isShared("/shared/other", "757", "")).isTrue();
    assertThat(isShared("/shared/sticky", "1777", "")).isFalse();
    assertThat(isShared("/shared/acl", "700", "user:bob:rwx")).isTrue();
    assertThat(isShared("/shared/acl-read", "700", "user:bob:r-x")).isFalse();
    Path file = new Path("/shared/file");
    fs.create(file).close();
    fs.setPermission(file, new FsPermission("1666"));
    assertThat(new HdfsNamespace(fs).find("/shared/file").orElseThrow().shared()).isTrue();
    fs.delete(new Path("/shared"), true);
  }

  private static boolean isShared(String path, String mode, String acl) throws Exception {
    fs.mkdirs(new Path(path));
    fs.setPermission(new Path(path), new FsPermission(mode));
    fs.modifyAclEntries(new Path(path), AclEntry.parseAclSpec(acl, true));
    return new HdfsNamespace(fs).find(path).orElseThrow().shared();
  }

  @Test
  void interruptedWalksFail() throws Exception {
    HdfsNamespace namespace = new HdfsNamespace(fs);
    fs.create(new Path("/walked/x")).close();
    try {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> namespace.walk("/walked", false, info -> true))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> namespace.walkFiles("/walked", file -> {}))
          .isInstanceOf(InterruptedIOException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    fs.delete(new Path("/walked"), true);
  }

  @Test
  void raisesReplicationOfExistingFiles() throws Exception {
    Path file = new Path("/r/x");
    fs.create(file).close();
    put("raising", "/r/*", HintText.parse("broadcast=5"));
    await().atMost(LONG).until(() -> fs.getFileStatus(file).getReplication() == 5);
    fs.delete(new Path("/r"), true);
  }

  @Test
  void raisesLazyFilesExceptTemporaryOnes() throws Exception {
    put("lazy", "/lazy/*", HintText.parse("lazy=4"));
    put("lazy-temporary", "/lazy/t*", HintText.parse("lazy=4,temporary"));
    Path temporary = new Path("/lazy/t1");
    Path single = new Path("/lazy/single");
    fs.create(temporary, (short) 1).close();
    fs.create(single, (short) 1).close();
    // One replica is this cluster's default, so it is not an explicit choice of the writer.
    await().atMost(LONG).until(() -> fs.getFileStatus(single).getReplication() == 4);
    assertThat(fs.getFileStatus(temporary).getReplication()).isEqualTo((short) 1);
  }

  @Test
  void removesExpiredTemporaryFiles() throws Exception {
    fs.create(new Path("/t/before")).close();
    put("temporary", "/t/*", HintText.parse("temporary=1s"));
    // The rule must be older than the file by more than the clocks may differ.
    await()
        .atMost(LONG)
        .pollDelay(Duration.ofMillis(2500))
        .until(() -> store.snapshot().set("temporary").isPresent());
    fs.create(new Path("/t/under")).close();
    await().atMost(LONG).until(() -> !fs.exists(new Path("/t/under")));
    assertThat(fs.exists(new Path("/t/before"))).isTrue();
  }

  @Test
  void continuesAfterRefusals() throws Exception {
    fs.mkdirs(new Path("/quota"));
    fs.setQuota(new Path("/quota"), HdfsConstants.QUOTA_DONT_SET, 1L << 30);
    try (FSDataOutputStream out = fs.create(new Path("/quota/x"))) {
      out.write(new byte[1 << 20]);
    }
    short before = fs.getFileStatus(new Path("/quota/x")).getReplication();
    fs.setQuota(new Path("/quota"), HdfsConstants.QUOTA_DONT_SET, 3L << 20);
    fs.create(new Path("/instead")).close();
    put("refused", "/quota/x", HintText.parse("broadcast=9"));
    put("uncacheable", "/a:b", HintText.parse("cache"));
    put("nowhere", "/instead/of/a/directory", HintText.parse("broadcast=9"));
    fs.mkdirs(new Path("/next"));
    setHint("/next", "pipeline");
    await().atMost(LONG).until(() -> hint("/next/x").isPresent());
    Path file = new Path("/next2/x");
    fs.create(file).close();
    put("next", "/next2/*", HintText.parse("broadcast=5"));
    await().atMost(LONG).until(() -> fs.getFileStatus(file).getReplication() == 5);
    assertThat(fs.getFileStatus(new Path("/quota/x")).getReplication()).isEqualTo(before);
    assertThat(thread.isAlive()).isTrue();
  }

  @Test
  void cachesPathsOfRules() throws Exception {
    HdfsNamespace namespace = new HdfsNamespace(fs);
    fs.mkdirs(new Path("/c"));
    put("caching", "/c/**", HintText.parse("reuse"));
    await().atMost(LONG).until(() -> namespace.cached().contains("/c"));
    put("matching", "/c2/*.fa", HintText.parse("reuse"));
    fs.create(new Path("/c2/x.fa")).close();
    fs.create(new Path("/c2/x.txt")).close();
    await().atMost(LONG).until(() -> namespace.cached().contains("/c2/x.fa"));
    assertThat(namespace.cached()).doesNotContain("/c2/x.txt");
    // A DataNode locks no memory by default.
    assertThat(namespace.cacheCapacity()).isZero();
    store.remove("caching");
    store.remove("matching");
    await().atMost(LONG).until(() -> namespace.cached().isEmpty());
  }
}
