package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.process.Daemon;
import dev.weir.cluster.process.DaemonStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ResourceManager that keeps its state in HDFS may start before HDFS does. */
@Tag("nightly")
class StateInHdfsIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String NO_NAMENODE = "Connection refused";

  @TempDir private Path parent;

  @Test
  void theResourceManagerWaitsForTheNameNode() throws Exception {
    ClusterSpec spec =
        ClusterSpec.builder(TestJars.stock())
            .nodes(1)
            .dir(parent.resolve("state"))
            .configuration("yarn.resourcemanager.recovery.enabled", "true")
            .build();
    try (LocalCluster cluster = LocalCluster.start(spec, ProgressListener.NONE)) {
      cluster.stopDaemon(Daemon.RESOURCEMANAGER);
      cluster.stopDaemon(Daemon.NAMENODE);
      Path log = cluster.log(Daemon.RESOURCEMANAGER);
      long before = refusals(log);
      // The ResourceManager answers over HTTP before it has read its state.
      cluster.startDaemon(Daemon.RESOURCEMANAGER);
      await("it has asked for its state").atMost(SOON).until(() -> refusals(log) > before);

      cluster.startDaemon(Daemon.NAMENODE);
      await("the cluster is complete")
          .atMost(SOON)
          .until(
              () ->
                  cluster.status().isComplete()
                      && cluster.status().activeNodeManagers() == 1
                      && cluster.status().liveDataNodes() == 1);
      assertThat(cluster.status().daemons()).allMatch(DaemonStatus::isAlive);
    }
  }

  private static long refusals(Path log) throws Exception {
    return Files.readAllLines(log).stream().filter(line -> line.contains(NO_NAMENODE)).count();
  }
}
