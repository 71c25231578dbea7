package dev.weir.workflow.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.hdfs.HdfsOutages;
import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.process.CommandShells;
import dev.weir.workflow.process.ProcessGuard;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.store.HdfsDataStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs attempts against a real NameNode that refuses calls. */
class HdfsFailureTest {

  private static final int BLOCK = 1 << 20;
  private static final int PRIVATE = 0700;

  @RegisterExtension
  static final OneNodeHdfs HDFS =
      OneNodeHdfs.with(
          conf -> {
            conf.setLong("dfs.blocksize", BLOCK);
            conf.setInt("dfs.replication", 1);
          });

  private final DistributedFileSystem fs = HDFS.fs();
  @TempDir private java.nio.file.Path temp;
  private final ExecutorService pool = Executors.newFixedThreadPool(2);
  private final ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());
  private final CommandShells shells = new CommandShells(Map.of("PATH", "/usr/bin:/bin"), guard);

  @BeforeEach
  void makeLogs() throws IOException {
    Files.createDirectory(temp.resolve("logs"));
  }

  @AfterEach
  void stop() throws IOException {
    fs.setSafeMode(SafeModeAction.LEAVE);
    pool.shutdownNow();
    shells.close();
    guard.close();
  }

  private static HdfsDataStore store(DistributedFileSystem of) throws IOException {
    return new HdfsDataStore(of, "localhost", TestTools.AT_ONCE);
  }

  /** Runs an attempt that writes ten bytes into a directory of HDFS. */
  private TaskReport writeInto(String hdfsDirectory, DistributedFileSystem as) throws Exception {
    ResourceGate gate = new ResourceGate(1, 1);
    TaskOrder order =
        TaskOrders.shell(
            "task",
            List.of(),
            List.of(new FileSlot("out", hdfsDirectory + "/out", 0)),
            "printf 0123456789 > out");
    TaskRunner runner =
        new TaskRunner(store(as), TestTools.places(temp), TestTools.of(pool, shells));
    return runner.run(order, gate.ticket(order.needs()));
  }

  @Test
  void exceededSpaceQuotaIsReportedWithRemedy() throws Exception {
    fs.mkdirs(new Path("/space"));
    fs.setQuota(new Path("/space"), HdfsConstants.QUOTA_DONT_SET, BLOCK / 2);

    TaskReport report = writeInto("/space", fs);

    assertThat(report.result()).as(report.message()).isEqualTo(Result.REFUSED);
    assertThat(report.message())
        .contains("/space/out", "quota of /space is exceeded", "-clrSpaceQuota")
        .doesNotContain("\n");
    assertThat(fs.listStatus(new Path("/space"))).as("no partial file").isEmpty();
  }

  @Test
  void exceededNameQuotaIsReportedWithRemedy() throws Exception {
    fs.mkdirs(new Path("/names"));
    fs.setQuota(new Path("/names"), 1, HdfsConstants.QUOTA_DONT_SET);

    TaskReport report = writeInto("/names", fs);

    assertThat(report.result()).as(report.message()).isEqualTo(Result.REFUSED);
    assertThat(report.message()).contains("/names/out", "of directory /names", "-clrQuota");
  }

  @Test
  void directoryOfAnotherUserIsReportedWithRemedy() throws Exception {
    fs.mkdirs(new Path("/private"), new FsPermission(PRIVATE));
    UserGroupInformation otherUser =
        UserGroupInformation.createUserForTesting("other", new String[] {"some"});
    try (DistributedFileSystem other =
        (DistributedFileSystem) DFSTestUtil.getFileSystemAs(otherUser, fs.getConf())) {
      TaskReport report = writeInto("/private", other);

      assertThat(report.result()).as(report.message()).isEqualTo(Result.REFUSED);
      assertThat(report.message()).contains("/private/out", "user=other", "-chmod");
    }
  }

  @Test
  void directoryInPlaceOfAnOutputIsReportedWithRemedy() throws Exception {
    fs.mkdirs(new Path("/way/out/taken"));

    TaskReport report = writeInto("/way", fs);

    assertThat(report.result()).as(report.message()).isEqualTo(Result.REFUSED);
    assertThat(report.message()).contains("/way/out", "move it away");
    assertThat(fs.listStatus(new Path("/way"))).as("no partial file").hasSize(1);
  }

  @Test
  void everyCallWaitsForTheEndOfSafeMode() throws Exception {
    fs.mkdirs(new Path("/safe"));
    HdfsRetry patience =
        new HdfsRetry(
            Duration.ofMinutes(1),
            millis -> {
              try {
                fs.setSafeMode(SafeModeAction.LEAVE);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    java.nio.file.Path source = Files.writeString(temp.resolve("source"), "0123456789");
    HdfsDataStore store = store(fs);

    fs.setSafeMode(SafeModeAction.ENTER);
    assertThatThrownBy(() -> store.put(source, "/safe/.f")).matches(HdfsOutages::isSafeMode);
    patience.through(() -> store.put(source, "/safe/.f"));
    assertThat(fs.isInSafeMode()).isFalse();
    fs.setSafeMode(SafeModeAction.ENTER);
    patience.run(() -> store.commit("/safe/.f", "/safe/f"));
    assertThat(fs.isInSafeMode()).isFalse();
    fs.setSafeMode(SafeModeAction.ENTER);
    requireNonNull(store.find(List.of(new FileSlot("f", "/safe/f", 0))).get("/safe/f"))
        .fetch(temp.resolve("copy"));
    patience.run(() -> store.remove("/safe/f"));

    assertThat(temp.resolve("copy")).hasContent("0123456789");
    assertThat(fs.exists(new Path("/safe/f"))).isFalse();
  }
}
