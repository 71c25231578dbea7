package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.ClusterRegistry;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.DaemonLayout;
import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.plan.LinkRate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failovers between two NameNodes, with reads of what was written before. */
@Tag("nightly")
class TwoNameNodesIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private Path parent;

  @Test
  void failsOverToTheSecondNameNodeAndBack() throws Exception {
    ClusterSpec spec =
        ClusterSpec.builder(TestJars.stock())
            .nodes(1)
            .nameNodes(2)
            .dir(parent.resolve("ha"))
            .build();
    try (LocalCluster cluster = LocalCluster.start(spec, ProgressListener.NONE);
        FileSystem hdfs = FileSystem.newInstance(cluster.configuration())) {
      assertThat(cluster.status().activeNameNode()).isEqualTo("namenode");
      write(hdfs, "/before");

      assertThat(cluster.failover()).isEqualTo("namenode2");
      assertThat(cluster.status().activeNameNode()).isEqualTo("namenode2");
      assertThat(content(hdfs, "/before")).isEqualTo("/before");
      write(hdfs, "/after");

      cluster.stopDaemon("namenode2");
      assertThat(cluster.status().activeNameNode()).isNull();
      assertThat(cluster.failover()).isEqualTo("namenode");
      await().atMost(SOON).until(() -> cluster.status().liveDataNodes() == 1);
      assertThat(content(hdfs, "/after")).isEqualTo("/after");

      cluster.startDaemon("namenode2");
      assertThat(cluster.status().activeNameNode()).isEqualTo("namenode");
      assertThat(cluster.status().isComplete()).isTrue();

      // No other NameNode is active then, so the restarted one becomes active.
      cluster.stopDaemon("namenode2");
      cluster.stopDaemon("namenode");
      cluster.startDaemon("namenode");
      assertThat(cluster.status().activeNameNode()).isEqualTo("namenode");
      assertThat(content(hdfs, "/after")).isEqualTo("/after");
    }
    assertThat(OrphanFinder.of(parent.resolve("ha"))).isEmpty();
  }

  @Test
  void oneNameNodeAloneHasNoStandby() throws Exception {
    ClusterPlan plan =
        new ClusterPlan(
            1,
            parent,
            1,
            1,
            HostKind.LOOPBACK,
            LinkRate.UNLIMITED,
            TestJars.stock(),
            DaemonLayout.STOCK);
    LocalCluster cluster =
        new LocalCluster(
            new ClusterLifecycle(plan, new ClusterRegistry(parent.resolve("registry"))));
    assertThatThrownBy(cluster::failover)
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("--namenodes 2");
  }

  private static void write(FileSystem hdfs, String file) throws IOException {
    try (FSDataOutputStream out = hdfs.create(new org.apache.hadoop.fs.Path(file))) {
      out.writeUTF(file);
    }
  }

  private static String content(FileSystem hdfs, String file) throws IOException {
    try (var in = hdfs.open(new org.apache.hadoop.fs.Path(file))) {
      return in.readUTF();
    }
  }
}
