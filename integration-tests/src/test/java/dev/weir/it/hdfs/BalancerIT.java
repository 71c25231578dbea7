package dev.weir.it.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.store.HintStore;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import dev.weir.it.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hadoop's Balancer and Mover with hinted files, on DataNodes that keep pins. Each DataNode has
 * only 600 MB of a file system in memory, so that a few files make one fuller than the others.
 */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BalancerIT {
  private static final int MEBIBYTE = 1 << 20;
  private static final int FILE = 4 * MEBIBYTE;
  private static final long CAPACITY = 600L * MEBIBYTE;
  private static final int MEMORY_MEBIBYTES = 2048;
  private static final String PINNING = "dfs.datanode.block-pinning.enabled";
  private static final Duration DEADLINE = Duration.ofSeconds(90);

  @TempDir private static Path memory;
  @TempDir private Path folder;
  private SmallDisk disk;
  private LocalCluster cluster;
  private HdfsFiles files;

  @BeforeAll
  void start() throws Exception {
    disk = SmallDisk.at(memory, MEMORY_MEBIBYTES);
    long reserved = Files.getFileStore(memory).getTotalSpace() - CAPACITY;
    ClusterSpec spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
            .nodes(4)
            .racks(2)
            .dir(memory.resolve("cluster"))
            .configuration(PINNING, "true")
            .configuration("dfs.datanode.du.reserved", String.valueOf(reserved))
            .configuration(
                "dfs.datanode.data.dir",
                "[DISK]file://${hadoop.tmp.dir}/disk,[ARCHIVE]file://${hadoop.tmp.dir}/archive")
            .configuration(
                "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0")
            // A DataNode reserves a whole block of this size for each block being written.
            .configuration("dfs.blocksize", String.valueOf(MEBIBYTE))
            .configuration("dfs.balancer.getBlocks.min-block-size", "1")
            .build();
    cluster = LocalCluster.start(spec, step -> System.out.println("small nodes: " + step));
    files = new HdfsFiles(cluster);
    hint(
        Map.of(
            "/local/**", "pipeline,temporary",
            "/named/**", "nodes=n1,replicas=1",
            "/group/**", "collocate=g,replicas=1",
            "/free/**", "pipeline,temporary",
            "/cold/**", "pipeline,temporary"));
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      files.fs().close();
      cluster.close();
    }
    if (disk != null) {
      disk.close();
    }
  }

  @Test
  void theBalancerMovesAllButPinnedBlocks() throws Exception {
    put("/local", 4, "true");
    put("/named", 4, "true");
    put("/group", 2, "true");
    put("/free", 20, "false");
    put("/plain", 20, "true");
    Map<String, List<List<String>>> pinned = new TreeMap<>();
    for (String directory : List.of("/local", "/named", "/group")) {
      pinned.putAll(hosts(directory));
    }
    assertThat(hosts("/local").values()).allMatch(blocks -> onlyOn("n1", blocks));
    assertThat(hosts("/free").values()).allMatch(blocks -> onlyOn("n1", blocks));

    HdfsFiles.Ran ran =
        files.run(
            "master",
            "org.apache.hadoop.hdfs.server.balancer.Balancer",
            List.of("-threshold", "3"));

    System.out.println(ran.text());
    assertThat(ran.exit()).as(ran.text()).isZero();
    await()
        .atMost(DEADLINE)
        .untilAsserted(
            () -> {
              assertThat(moved("/free")).as("blocks of hinted files without pins").isPositive();
              assertThat(moved("/plain")).as("blocks of files without hints").isPositive();
            });
    System.out.println(
        "moved away: " + moved("/free") + " of /free, " + moved("/plain") + " of /plain");
    for (String directory : List.of("/local", "/named", "/group")) {
      hosts(directory)
          .forEach((file, hosts) -> assertThat(hosts).as(file).isEqualTo(pinned.get(file)));
    }
  }

  @Test
  void theMoverChangesTheStorageButNotTheNodeOfPinnedBlocks() throws Exception {
    put("/cold", 2, "true");
    put("/cold-plain", 2, "true");
    for (String directory : List.of("/cold", "/cold-plain")) {
      files.fs().setStoragePolicy(new org.apache.hadoop.fs.Path(directory), "COLD");
    }

    HdfsFiles.Ran ran =
        files.run(
            "master",
            "org.apache.hadoop.hdfs.server.mover.Mover",
            List.of("-p", "/cold", "/cold-plain"));

    assertThat(ran.exit()).as(ran.text()).isZero();
    for (String directory : List.of("/cold", "/cold-plain")) {
      await()
          .atMost(DEADLINE)
          .untilAsserted(() -> assertThat(storages(directory)).containsOnly(StorageType.ARCHIVE));
    }
    assertThat(hosts("/cold").values()).allMatch(blocks -> onlyOn("n1", blocks));
  }

  private void hint(Map<String, String> hints) throws Exception {
    try (HintStore store = HdfsFiles.openHints(cluster)) {
      List<Rule> rules =
          hints.entrySet().stream()
              .map(
                  hint ->
                      new Rule(PathPattern.parse(hint.getKey()), HintText.parse(hint.getValue())))
              .toList();
      files.hint(store, new HintSet("balancer-it", "it", null, rules));
    }
  }

  /** Writes files on n1 with one replica, in blocks of 1 MiB. */
  private void put(String directory, int count, String pin) throws Exception {
    Path local = Files.createDirectory(folder.resolve(directory.substring(1)));
    for (int i = 0; i < count; i++) {
      Files.write(local.resolve("f" + i), new byte[FILE]);
    }
    List<String> words =
        List.of(
            "-D", PINNING + "=" + pin, "-D", "dfs.replication=1", "-put", local.toString(), "/");
    files.shell("n1", words);
  }

  /** The hosts of each block of each file. */
  private Map<String, List<List<String>>> hosts(String directory) throws IOException {
    Map<String, List<List<String>>> all = new TreeMap<>();
    for (FileStatus file : files.fs().listStatus(new org.apache.hadoop.fs.Path(directory))) {
      String name = file.getPath().toUri().getPath();
      all.put(name, files.hostsOfBlocks(name));
    }
    return all;
  }

  private List<StorageType> storages(String directory) throws IOException {
    FileSystem fs = files.fs();
    List<StorageType> types = new ArrayList<>();
    for (FileStatus file : fs.listStatus(new org.apache.hadoop.fs.Path(directory))) {
      for (BlockLocation block : fs.getFileBlockLocations(file, 0, file.getLen())) {
        types.addAll(Arrays.asList(block.getStorageTypes()));
      }
    }
    return types;
  }

  private static boolean onlyOn(String node, List<List<String>> blocks) {
    return blocks.stream().allMatch(hosts -> hosts.equals(List.of(node)));
  }

  /** The number of blocks that are not on n1, where they were written. */
  private long moved(String directory) throws IOException {
    return hosts(directory).values().stream()
        .flatMap(List::stream)
        .filter(hosts -> !hosts.contains("n1"))
        .count();
  }
}
