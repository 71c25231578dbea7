package dev.weir.service.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.hdfs.audit.AccessAuditLogger;
import dev.weir.hints.AutoRange;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.auto.AutoBudget;
import dev.weir.service.auto.AutoPaths;
import dev.weir.service.auto.AutoSettings;
import dev.weir.service.auto.MergedCounts;
import dev.weir.service.auto.NameNodeCounts;
import dev.weir.service.auto.UseExplainer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replication by use on a real NameNode that counts accesses, with four DataNodes. */
class AutoReplicationHdfsTest {
  private static final Duration LONG = Duration.ofMinutes(2);

  @TempDir private java.nio.file.Path temp;
  private MiniDFSCluster cluster;
  private DistributedFileSystem fs;
  private MergedCounts counts;
  private AutoReplication auto;
  private Thread thread = new Thread(() -> {});

  private final InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
  private final AtomicBoolean leading = new AtomicBoolean(true);
  private final Set<String> savedPaths = new TreeSet<>();

  @BeforeEach
  void start() throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, temp.toString());
    configuration.setInt("dfs.replication", 2);
    configuration.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    configuration.setInt("dfs.heartbeat.interval", 1);
    configuration.set("dfs.namenode.audit.loggers", "default," + AccessAuditLogger.class.getName());
    cluster = new MiniDFSCluster.Builder(configuration).numDataNodes(4).build();
    fs = cluster.getFileSystem();
    Configuration its = cluster.getConfiguration(0);
    AutoReplication.Timing timing = AutoReplication.Timing.real();
    counts = new MergedCounts(NameNodeCounts.addresses(its), new NameNodeCounts(its), timing);
    auto =
        new AutoReplication(
            this::term,
            store,
            counts,
            new AutoSettings(true, AutoBudget.parse("50%"), Duration.ofMillis(100), 100),
            timing);
    thread =
        new Thread(
            () -> {
              try {
                auto.lead(leading::get);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    thread.start();
  }

  @AfterEach
  void stop() throws Exception {
    leading.set(false);
    thread.join();
    cluster.shutdown();
  }

  private AutoReplication.Term term() {
    AutoPaths memory =
        new AutoPaths() {
          @Override
          public Set<String> loadPaths() {
            return savedPaths;
          }

          @Override
          public void savePaths(Set<String> paths) {
            savedPaths.clear();
            savedPaths.addAll(paths);
          }

          @Override
          public void close() {}
        };
    return new AutoReplication.Term(
        new HdfsNamespace(fs),
        memory,
        ReconcilerMetrics.register(new MetricsSystemImpl("test")),
        user -> false,
        () -> {});
  }

  @Test
  void aHotFileGetsReplicasUntilItsHintGoes() throws Exception {
    Path hot = write("/auto/hot");
    Path cold = write("/auto/cold");
    Path own = write("/own/hot");
    store.put(
        new HintSet(
            "auto",
            "alice",
            null,
            List.of(new Rule(PathPattern.parse("/auto/**"), HintText.parse("auto")))));
    read(hot, 40);
    read(own, 40);
    CallerContext.setCurrent(new CallerContext.Builder(AccessAuditLogger.UNCOUNTED).build());
    read(cold, 40);
    CallerContext.setCurrent(null);

    await().atMost(LONG).until(() -> fs.getFileStatus(hot).getReplication() == 4);
    await().atMost(LONG).until(() -> hosts(hot) == 4);
    assertThat(fs.getFileStatus(cold).getReplication()).isEqualTo((short) 2);
    assertThat(fs.getFileStatus(own).getReplication()).isEqualTo((short) 2);
    assertThat(new String(fs.getXAttr(hot, ReplicaNamespace.MARK), StandardCharsets.UTF_8))
        .matches("2,[23],4");
    assertThat(savedPaths).containsExactly("/auto");
    UseExplainer.Use use =
        UseExplainer.of(auto::status, counts)
            .explain("/auto/hot", AutoRange.DEFAULT, new UseExplainer.Size(1000, 1000), 4)
            .orElseThrow();
    assertThat(use.reads()).isGreaterThan(39);
    assertThat(use.writes()).isBetween(0.9, 1.0);

    store.remove("auto");
    await().atMost(LONG).until(() -> fs.getFileStatus(hot).getReplication() == 2);
    await().atMost(LONG).until(() -> hosts(hot) == 2);
    await().atMost(LONG).until(savedPaths::isEmpty);
    assertThat(fs.getXAttrs(hot)).doesNotContainKey(ReplicaNamespace.MARK);
  }

  @Test
  void openStripedSnapshottedAndLimitedFilesStay() throws Exception {
    Path snapshotted = write("/auto/kept/a");
    fs.allowSnapshot(snapshotted.getParent());
    fs.createSnapshot(snapshotted.getParent(), "s");
    fs.mkdirs(new Path("/auto/striped"));
    fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    fs.setErasureCodingPolicy(new Path("/auto/striped"), "XOR-2-1-1024k");
    Path striped = write("/auto/striped/a");
    Path limited = write("/auto/limited/a");
    fs.setQuota(limited.getParent(), Long.MAX_VALUE - 1, 2500);
    Path hot = write("/auto/hot");
    Path open = new Path("/auto/open");
    try (FSDataOutputStream out = fs.create(open)) {
      out.write(new byte[1000]);
      out.hflush();
      for (Path path : List.of(snapshotted, limited, striped, open, hot)) {
        read(path, 40);
      }
      store.put(
          new HintSet(
              "auto",
              "alice",
              null,
              List.of(new Rule(PathPattern.parse("/auto/**"), HintText.parse("auto")))));
      await().atMost(LONG).until(() -> fs.getFileStatus(hot).getReplication() == 4);
      assertThat(fs.getFileStatus(striped).getReplication()).isEqualTo((short) 1);
      for (Path path : List.of(snapshotted, limited, open)) {
        assertThat(fs.getFileStatus(path).getReplication()).as("%s", path).isEqualTo((short) 2);
        await().atMost(LONG).until(() -> !fs.getXAttrs(path).containsKey(ReplicaNamespace.MARK));
      }
      assertThat(fs.getXAttrs(striped)).doesNotContainKey(ReplicaNamespace.MARK);
    }
    await().atMost(LONG).until(() -> fs.getFileStatus(open).getReplication() == 4);
  }

  private Path write(String name) throws Exception {
    Path path = new Path(name);
    try (FSDataOutputStream out = fs.create(path)) {
      out.write(new byte[1000]);
    }
    return path;
  }

  private void read(Path path, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      try (FSDataInputStream in = fs.open(path)) {
        assertThat(in.read()).isZero();
      }
    }
  }

  private int hosts(Path path) throws Exception {
    return fs.getFileBlockLocations(path, 0, 1)[0].getNames().length;
  }
}
