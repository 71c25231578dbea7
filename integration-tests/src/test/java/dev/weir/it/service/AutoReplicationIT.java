package dev.weir.it.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.hdfs.audit.AccessAuditLogger;
import dev.weir.hdfs.read.StripedReadConfig;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceCalls;
import dev.weir.hints.store.HintStore;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import dev.weir.it.HintServices;
import dev.weir.it.PySpark;
import dev.weir.service.auto.AutoSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files under {@code auto} on a cluster with two NameNodes and two instances of the hints service,
 * of which one of each dies. The budget is small, and the service changes few files a second.
 */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AutoReplicationIT {
  private static final String SET = "auto-replication-it";
  private static final String MARK = "trusted.weir.replication";
  private static final Duration DEADLINE = Duration.ofMinutes(3);
  private static final int FILE_BYTES = 4 << 20;
  private static final int OWN = 2;

  /** The budget allows this many additional copies of such files. */
  private static final int COPIES = 16;

  @TempDir private java.nio.file.Path folder;
  private LocalCluster cluster;
  private FileSystem fs;
  private HintStore store;

  @BeforeAll
  void start() throws Exception {
    ClusterSpec spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
            .nodes(4)
            .hosts(ClusterExtension.hosts())
            .nameNodes(2)
            .hintServices(2)
            .configuration("dfs.replication", String.valueOf(OWN))
            // A NameNode that has become active removes no replica before a full report.
            .configuration("dfs.blockreport.intervalMsec", "5000")
            .configuration(
                "dfs.namenode.audit.loggers", "default," + AccessAuditLogger.class.getName())
            .configuration(AutoSettings.BUDGET.key(), String.valueOf(COPIES * FILE_BYTES))
            .configuration(AutoSettings.INTERVAL.key(), "1s")
            .configuration(AutoSettings.RATE.key(), "2")
            .configuration(StripedReadConfig.ENABLED_KEY, "true")
            .configuration(StripedReadConfig.MIN_KEY, "1m")
            .build();
    cluster = LocalCluster.start(spec, step -> System.out.println("auto replication: " + step));
    fs = new HdfsFiles(cluster).fs();
    store = HdfsFiles.openHints(cluster);
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      store.close();
      fs.close();
      cluster.close();
    }
  }

  @AfterEach
  void removeHints() throws Exception {
    store.remove(SET);
  }

  @Test
  void countsOfANameNodeThatDiedAndOfTheNextOneAreAdded() throws Exception {
    List<Path> hot = write("/failover", 1);
    hint("/failover/**");
    // For a third replica it takes more than 12 reads, or 6 if its write was forgotten.
    read(hot, 9);
    await().atMost(DEADLINE).until(() -> counted("/failover/") > 8.9);
    String active = cluster.status().activeNameNode();
    assertThat(active).isNotNull();
    cluster.stopDaemon(active);
    try {
      assertThat(cluster.failover()).isNotEqualTo(active);
      assertThat(copies("/failover")).isZero();

      read(hot, 6);

      await().atMost(DEADLINE).until(() -> copies("/failover") == 1);
    } finally {
      cluster.startDaemon(active);
    }
  }

  @Test
  void aLeaderThatIsKilledKeepsTheBudgetAndLeavesNothing() throws Exception {
    List<Path> hot = write("/leader", COPIES + 8);
    read(hot, 20);
    hint("/leader/**");
    await().atMost(DEADLINE).until(() -> copies("/leader") > 2);
    String leader = HintServices.leader(cluster);

    cluster.stopDaemon(leader);

    try {
      int made = copies("/leader");
      assertThat(made).isLessThan(COPIES);
      await()
          .atMost(DEADLINE)
          .until(
              () -> copies("/leader"),
              copies -> {
                assertThat(copies).isBetween(made, COPIES);
                return copies == COPIES;
              });
    } finally {
      cluster.startDaemon(leader);
    }
    store.remove(SET);
    await().atMost(DEADLINE).until(() -> copies("/leader") == 0);
    for (Path file : hot) {
      await().atMost(DEADLINE).until(() -> !fs.getXAttrs(file).containsKey(MARK));
      await()
          .atMost(DEADLINE)
          .until(() -> fs.getFileBlockLocations(file, 0, 1)[0].getHosts().length == OWN);
    }
  }

  @Test
  void aTableThatPySparkReadsOftenGetsReplicas() throws Exception {
    hint("/table/**");

    PySpark.submit(cluster, folder, "read_hot_table.py", "/table/hot", "15");

    await().atMost(DEADLINE).until(() -> counted("/table/hot/part-") > 12);
    await().atMost(DEADLINE).until(() -> copies("/table/hot") == 2);
  }

  private void hint(String pattern) throws IOException {
    Rule rule = new Rule(PathPattern.parse(pattern), HintText.parse("auto"));
    long unused = store.put(new HintSet(SET, "it", null, List.of(rule)));
  }

  private List<Path> write(String directory, int count) throws IOException {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Path file = new Path(directory, "file" + i);
      try (FSDataOutputStream out = fs.create(file)) {
        out.write(new byte[FILE_BYTES]);
      }
      files.add(file);
    }
    return files;
  }

  private void read(List<Path> files, int times) throws IOException {
    for (Path file : files) {
      for (int i = 0; i < times; i++) {
        try (FSDataInputStream in = fs.open(file)) {
          assertThat(in.read()).isZero();
        }
      }
    }
  }

  /** The fewest reads that the leader knows of a file whose path has the prefix; 0 for none. */
  private double counted(String prefix) {
    try (HintsClient client = HintsClient.open(cluster.configuration())) {
      double fewest = Double.MAX_VALUE;
      for (JsonNode file : client.send(ServiceCalls.useProfile()).json().path("files")) {
        if (file.path("path").asText().startsWith(prefix)) {
          fewest = Math.min(fewest, file.path("reads").asDouble());
        }
      }
      return fewest == Double.MAX_VALUE ? 0 : fewest;
    } catch (IOException e) {
      // No instance leads yet.
      return 0;
    }
  }

  /** The copies of a directory's files beyond their own replication. */
  private int copies(String directory) throws IOException {
    return Arrays.stream(fs.listStatus(new Path(directory)))
        .filter(FileStatus::isFile)
        .mapToInt(file -> Math.max(0, file.getReplication() - OWN))
        .sum();
  }
}
