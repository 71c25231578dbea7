package dev.weir.hdfs;

import static dev.weir.hdfs.HintedCluster.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hdfs.HintStatistics.Kind;
import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.Replication;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageStatistics;
import org.apache.hadoop.fs.WeirHdfs;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every way to create a file, with and without explicit values. */
class ClientFormsTest {
  private static final int MIB = 1 << 20;
  private static final FsPermission MODE = FsPermission.getFileDefault();
  private static final EnumSet<CreateFlag> NEW = EnumSet.of(CreateFlag.CREATE);

  private static HintedCluster cluster;
  private static FileSystem fs;

  /** A way to create a file; returns the open stream. */
  private interface Form {
    OutputStream create(DistributedFileSystem fs, Path path) throws IOException;
  }

  @BeforeAll
  static void start() throws Exception {
    Hint two = Hint.builder().replication(Replication.eager(2)).blockSize(2 * MIB).build();
    cluster =
        HintedCluster.start(
            List.of(rule("/hinted/**", two), rule("/refused/**", HintPresets.broadcast(60))));
    fs = cluster.fs();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static Map<String, Form> formsWithoutExplicitValues() {
    Map<String, Form> forms = new LinkedHashMap<>();
    forms.put("create", FileSystem::create);
    forms.put("create-overwrite", (hdfs, path) -> hdfs.create(path, true));
    forms.put("create-progress", (hdfs, path) -> hdfs.create(path, () -> {}));
    forms.put("create-buffer", (hdfs, path) -> hdfs.create(path, true, 4096));
    forms.put("create-buffer-progress", (hdfs, path) -> hdfs.create(path, true, 4096, () -> {}));
    forms.put("static-create", (hdfs, path) -> FileSystem.create(hdfs, path, MODE));
    forms.put("builder", (hdfs, path) -> hdfs.createFile(path).recursive().build());
    forms.put(
        "builder-overwrite",
        (hdfs, path) -> hdfs.createFile(path).overwrite(true).recursive().build());
    forms.put(
        "append-builder",
        (hdfs, path) -> {
          hdfs.create(path).close();
          return hdfs.appendFile(path).build();
        });
    forms.put(
        "append",
        (hdfs, path) -> {
          hdfs.createNewFile(path);
          return hdfs.append(path);
        });
    forms.put(
        "append-new-block",
        (hdfs, path) -> {
          hdfs.create(path).close();
          return hdfs.append(path, EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null);
        });
    return forms;
  }

  @Test
  void hintsApplyWithoutExplicitValues() throws Exception {
    for (Map.Entry<String, Form> form : formsWithoutExplicitValues().entrySet()) {
      Path path = new Path("/hinted/nothing/" + form.getKey());
      try (OutputStream out = form.getValue().create((DistributedFileSystem) fs, path)) {
        out.write(1);
      }
      assertIs(path, 2, 2 * MIB);
    }
  }

  @Test
  void explicitValuesOverrideHints() throws Exception {
    DistributedFileSystem hdfs = (DistributedFileSystem) fs;
    Map<String, Form> forms = new LinkedHashMap<>();
    forms.put("create", (h, path) -> h.create(path, true, 4096, (short) 1, 3 * MIB));
    forms.put("progress", (h, path) -> h.create(path, true, 4096, (short) 1, 3 * MIB, () -> {}));
    forms.put("mode", (h, path) -> h.create(path, MODE, true, 4096, (short) 1, 3 * MIB, null));
    forms.put("flags", (h, path) -> h.create(path, MODE, NEW, 4096, (short) 1, 3 * MIB, null));
    forms.put(
        "checksum", (h, path) -> h.create(path, MODE, NEW, 4096, (short) 1, 3 * MIB, null, null));
    forms.put(
        "favoured",
        (h, path) ->
            h.create(
                path,
                MODE,
                true,
                4096,
                (short) 1,
                3 * MIB,
                null,
                new java.net.InetSocketAddress[0]));
    forms.put(
        "not-recursive",
        (h, path) -> h.createNonRecursive(path, MODE, NEW, 4096, (short) 1, 3 * MIB, null));
    forms.put(
        "builder",
        (h, path) -> h.createFile(path).replication((short) 1).blockSize(3 * MIB).build());
    fs.mkdirs(new Path("/hinted/said"));
    for (Map.Entry<String, Form> form : forms.entrySet()) {
      Path path = new Path("/hinted/said/" + form.getKey());
      form.getValue().create(hdfs, path).close();
      assertIs(path, 1, 3 * MIB);
    }
  }

  @Test
  void oneExplicitValueLeavesTheOtherToTheHint() throws Exception {
    DistributedFileSystem hdfs = (DistributedFileSystem) fs;
    Path replication = new Path("/hinted/one/replication");
    fs.create(replication, (short) 1).close();
    assertIs(replication, 1, 2 * MIB);
    Path built = new Path("/hinted/one/built");
    hdfs.createFile(built).replication((short) 1).recursive().build().close();
    assertIs(built, 1, 2 * MIB);
    Path blocks = new Path("/hinted/one/blocks");
    hdfs.createFile(blocks).blockSize(3 * MIB).recursive().build().close();
    assertIs(blocks, 2, 3 * MIB);
  }

  @Test
  void appendingKeepsTheValuesOfTheFile() throws Exception {
    Path path = new Path("/hinted/append");
    fs.create(path, true, 4096, (short) 3, 4 * MIB).close();
    try (FSDataOutputStream out = fs.append(path)) {
      out.write(new byte[10]);
    }
    assertIs(path, 3, 4 * MIB);
    assertThat(fs.getFileStatus(path).getLen()).isEqualTo(10);
  }

  @Test
  void copiesFollowTheHintOfTheirTarget() throws Exception {
    java.nio.file.Path local = Files.createTempFile("weir-copy", ".txt");
    Files.writeString(local, "text");
    Path source = new Path(local.toUri());
    fs.copyFromLocalFile(false, true, source, new Path("/hinted/copied"));
    assertIs(new Path("/hinted/copied"), 2, 2 * MIB);
    FileUtil.copy(
        fs, new Path("/hinted/copied"), fs, new Path("/plain/copied"), false, fs.getConf());
    assertIs(new Path("/plain/copied"), 3, MIB);
    fs.moveFromLocalFile(source, new Path("/hinted/moved"));
    assertIs(new Path("/hinted/moved"), 2, 2 * MIB);
    assertThat(Files.exists(local)).isFalse();
  }

  @Test
  void commandLineOptionsOverrideHints() throws Exception {
    java.nio.file.Path local = Files.createTempFile("weir-put", ".txt");
    fs.mkdirs(new Path("/hinted"));
    shell("-put", local.toString(), "/hinted/put");
    assertIs(new Path("/hinted/put"), 2, 2 * MIB);
    shell("-D", "dfs.replication=1", "-put", local.toString(), "/hinted/put-1");
    assertIs(new Path("/hinted/put-1"), 1, 2 * MIB);
    shell("-Ddfs.blocksize=" + 3 * MIB, "-put", local.toString(), "/hinted/put-3m");
    assertIs(new Path("/hinted/put-3m"), 2, 3 * MIB);
  }

  @Test
  void aClientNeedsNeitherCuratorNorZooKeeper() throws Exception {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !entry.matches(".*/(curator|zookeeper)-[^/]*"))
            .collect(Collectors.joining(File.pathSeparator));
    fs.mkdirs(new Path("/hinted"));
    java.nio.file.Path conf = Files.createTempDirectory("weir-client");
    Files.writeString(conf.resolve("core-site.xml"), "<configuration/>");
    Process client =
        new ProcessBuilder(
                java.nio.file.Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                conf + File.pathSeparator + classPath,
                FsShell.class.getName(),
                "-D",
                "fs.hdfs.impl=" + WeirFileSystem.class.getName(),
                "-touchz",
                fs.makeQualified(new Path("/hinted/without-curator")).toString())
            .inheritIO()
            .start();
    assertThat(client.waitFor()).isZero();
    assertIs(new Path("/hinted/without-curator"), 2, 2 * MIB);
  }

  private static void shell(String... words) throws Exception {
    Configuration conf = client(changed -> {});
    assertThat(ToolRunner.run(new FsShell(conf), words)).isZero();
  }

  @Test
  void contextsFollowHintsToo() throws Exception {
    FileContext context = context(changed -> {});
    Path path = new Path("/hinted/context/x");
    try (FSDataOutputStream out = context.create(path, NEW, CreateOpts.createParent())) {
      assertThat(out).isInstanceOf(HdfsDataOutputStream.class);
      out.write("content".getBytes(StandardCharsets.UTF_8));
    }
    assertIs(path, 2, 2 * MIB);
    try (var in = context.open(path)) {
      assertThat(in.readAllBytes()).hasSize(7);
    }
    Path explicit = new Path("/hinted/context/said");
    context
        .create(explicit, NEW, CreateOpts.repFac((short) 1), CreateOpts.blockSize(3 * MIB))
        .close();
    assertIs(explicit, 1, 3 * MIB);
    Path built = new Path("/hinted/context/built");
    context.create(built).build().close();
    assertIs(built, 2, 2 * MIB);
    Path plain = new Path("/plain/context");
    context.create(plain, NEW, CreateOpts.createParent()).close();
    assertIs(plain, 3, MIB);
    context.setXAttr(plain, "user.any", new byte[1]);
    assertThat(context.getXAttrs(plain)).as("what only Hdfs itself can do").hasSize(1);
  }

  @Test
  void aContextRetriesRefusedHintsWithStockValues() throws Exception {
    FileContext context = context(changed -> changed.unset(DFSConfigKeys.DFS_REPLICATION_MAX_KEY));
    Path path = new Path("/refused/context");
    context.create(path, NEW, CreateOpts.createParent()).close();
    assertIs(path, 3, MIB);
    assertThatThrownBy(
            () -> context.create(new Path("/refused/said"), NEW, CreateOpts.repFac((short) 51)))
        .as("refused explicit values")
        .hasMessageContaining("51");
  }

  @Test
  void statisticsCountHints() throws Exception {
    long advised = processCount(Kind.ADVISED);
    fs.create(new Path("/hinted/counted")).close();
    assertThat(processCount(Kind.ADVISED)).isGreaterThan(advised);
    StorageStatistics statistics = FileSystem.getGlobalStorageStatistics().get(HintStatistics.NAME);
    assertThat(statistics.getLongStatistics())
        .toIterable()
        .extracting(StorageStatistics.LongStatistic::getName)
        .containsExactly("advised", "unreadable", "refused");
    assertThat(statistics.isTracked("other")).isFalse();
  }

  private static long processCount(Kind kind) {
    Long count =
        FileSystem.getGlobalStorageStatistics().get(HintStatistics.NAME).getLong(kind.key());
    return count == null ? -1 : count;
  }

  private static FileContext context(Consumer<Configuration> change) throws IOException {
    Configuration conf = client(change);
    conf.set("fs.AbstractFileSystem.hdfs.impl", WeirHdfs.class.getName());
    return FileContext.getFileContext(conf);
  }

  private static Configuration client(Consumer<Configuration> change) {
    Configuration conf = new Configuration(fs.getConf());
    change.accept(conf);
    return conf;
  }

  private static void assertIs(Path path, int replication, long blockSize) throws IOException {
    FileStatus status = fs.getFileStatus(path);
    assertThat(status.getReplication())
        .as("replication of %s", path)
        .isEqualTo((short) replication);
    assertThat(status.getBlockSize()).as("block size of %s", path).isEqualTo(blockSize);
  }
}
