package dev.weir.workflow.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.hdfs.AbandonedAttemptCleaner;
import dev.weir.workflow.process.CommandEnvironment;
import dev.weir.workflow.process.CommandShells;
import dev.weir.workflow.process.ProcessGuard;
import dev.weir.workflow.protocol.CommitAttribute;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.sandbox.InodeFiles;
import dev.weir.workflow.store.HdfsDataStore;
import dev.weir.workflow.transfer.DataStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Commits several outputs in a real HDFS with workers that die between the renames. */
class CommitInHdfsTest {

  private static final int LARGE = 3 << 20;

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.with(CommitInHdfsTest::makeKey);

  private final DistributedFileSystem fs = HDFS.fs();
  private final ExecutorService pool = Executors.newFixedThreadPool(4);
  private final ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());
  private final CommandShells shells = new CommandShells(Map.of("PATH", "/usr/bin:/bin"), guard);
  private final ResourceGate gate = new ResourceGate(1, 1L << 30);
  @TempDir private java.nio.file.Path temp;
  private HdfsDataStore store;

  private static void makeKey(Configuration conf) {
    URI keys = URI.create("jceks://file" + conf.get(MiniDFSCluster.HDFS_MINIDFS_BASEDIR) + "/keys");
    conf.set(CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH, keys.toString());
    try {
      KeyProvider provider = KeyProviderFactory.get(keys, conf);
      provider.createKey("key", KeyProvider.options(conf).setBitLength(128));
      provider.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void open() throws IOException {
    store = new HdfsDataStore(fs, "here", TestTools.AT_ONCE);
    Files.createDirectory(temp.resolve("logs"));
  }

  @AfterEach
  void close() {
    pool.shutdownNow();
    shells.close();
    guard.close();
  }

  private Result run(DataStore with, TaskOrder order) throws InterruptedException {
    TaskRunner runner =
        new TaskRunner(
            with,
            new TaskRunner.Places(
                temp.resolve("sandboxes"),
                temp.resolve("logs"),
                CommandEnvironment.base(Map.of("PATH", "/usr/bin:/bin"))),
            TestTools.of(pool, shells));
    return runner.run(order, gate.ticket(order.needs())).result();
  }

  /** Writes a large, an empty and a small file. */
  private static TaskOrder writingThree(String directory) {
    List<FileSlot> outputs =
        Stream.of("large", "empty", "small")
            .map(name -> new FileSlot(name, directory + "/" + name, 0))
            .toList();
    String script = "head -c " + LARGE + " /dev/zero > large; : > empty; echo 1 > small";
    return TaskOrders.shell("t", List.of(), outputs, script);
  }

  /** Selects calls of the store that fail, by method name and count. */
  private interface Failing {
    boolean fails(String call, int number);
  }

  /** A store that never receives the selected calls. */
  private DataStore store(Failing failing) {
    Map<String, Integer> calls = new ConcurrentHashMap<>();
    return (DataStore)
        Proxy.newProxyInstance(
            DataStore.class.getClassLoader(),
            new Class<?>[] {DataStore.class},
            (proxy, method, arguments) -> {
              if (failing.fails(method.getName(), calls.merge(method.getName(), 1, Integer::sum))) {
                throw new IOException("call lost on purpose");
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }

  private List<String> names(String directory) throws IOException {
    return Arrays.stream(fs.listStatus(new Path(directory)))
        .map(FileStatus::getPath)
        .map(Path::getName)
        .toList();
  }

  private void commitIsRolledBack(String directory) throws Exception {
    DataStore dying =
        store((call, number) -> call.equals("remove") || (call.equals("commit") && number > 2));

    assertThat(run(dying, writingThree(directory))).isNotEqualTo(Result.SUCCEEDED);
    assertThat(names(directory)).containsExactly("empty", "large", "small.weir-1-1");

    byte[] mark =
        requireNonNull(
            fs.getXAttrs(new Path(directory + "/small.weir-1-1")).get(CommitAttribute.ATTRIBUTE));
    for (long number : CommitAttribute.parse(mark).fileIds()) {
      InodeFiles.remove(fs, number);
    }

    assertThat(names(directory)).isEmpty();
  }

  @Test
  void incompleteCommitIsRolledBackByItsMark() throws Exception {
    commitIsRolledBack("/three");
  }

  @Test
  void incompleteCommitIsRolledBackInAnEncryptionZone() throws Exception {
    fs.mkdirs(new Path("/zone"));
    new HdfsAdmin(fs.getUri(), fs.getConf())
        .createEncryptionZone(
            new Path("/zone"), "key", EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));

    commitIsRolledBack("/zone");
  }

  @Test
  void survivingWorkerRollsBackItsOwnCommit() throws Exception {
    fs.create(new Path("/way/small/inside")).close();

    assertThat(run(store, writingThree("/way"))).isEqualTo(Result.REFUSED);

    assertThat(names("/way")).containsExactly("small");
  }

  @Test
  void failedRollbackKeepsTheMark() throws Exception {
    DataStore failing =
        store(
            (call, number) ->
                (call.equals("remove") && number == 1) || (call.equals("commit") && number > 2));

    assertThat(run(failing, writingThree("/stumbles"))).isNotEqualTo(Result.SUCCEEDED);

    assertThat(names("/stumbles")).containsExactly("large", "small.weir-1-1");
    assertThat(fs.getXAttrs(new Path("/stumbles/small.weir-1-1")))
        .containsOnlyKeys(CommitAttribute.ATTRIBUTE);
  }

  private static TaskOrder findingThree(String directory) {
    List<FileSlot> globs = List.of(new FileSlot("*", directory, 0, FileSlot.Kind.GLOB, 0));
    String script =
        "mkdir -p sub/sub; echo 1 > sub/sub/a; : > b; head -c " + LARGE + " /dev/zero > c";
    return TaskOrders.shell("t", List.of(), globs, script);
  }

  @Test
  void foundOutputsAreCommittedBelowTheirDirectory() throws Exception {
    assertThat(run(store, findingThree("/found"))).isEqualTo(Result.SUCCEEDED);

    assertThat(names("/found")).containsExactly("b", "c", "sub");
    assertThat(names("/found/sub/sub")).containsExactly("a");
  }

  @Test
  void incompleteCommitOfFoundOutputsIsRolledBack() throws Exception {
    DataStore dying =
        store((call, number) -> call.equals("remove") || (call.equals("commit") && number > 2));

    assertThat(run(dying, findingThree("/lost"))).isNotEqualTo(Result.SUCCEEDED);
    assertThat(names("/lost")).containsExactly(".weir-1-1", "b", "c");

    new AbandonedAttemptCleaner(fs).remove(List.of("/lost/.weir-1-1"));

    assertThat(names("/lost")).isEmpty();
  }

  @Test
  void completeCommitShowsAllOutputs() throws Exception {
    assertThat(run(store, writingThree("/all"))).isEqualTo(Result.SUCCEEDED);

    assertThat(names("/all")).containsExactly("empty", "large", "small");
  }
}
