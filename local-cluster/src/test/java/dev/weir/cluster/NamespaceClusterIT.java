package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.cluster.plan.NodeInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the contract on network namespaces. Needs root and iproute2; otherwise it is skipped with a
 * message.
 */
@RequiresNamespaces
class NamespaceClusterIT extends LocalClusterContract {
  private static final int MEGABYTES = 10;
  private static final LinkRate RATE = LinkRate.parse("50mbit");

  @TempDir private Path dir;

  NamespaceClusterIT() throws IOException {
    super(ClusterSpec.builder(TestJars.stock()).link(RATE).outside(true));
  }

  @Test
  void aNodeHasItsOwnNameAndFindsTheOthers() throws Exception {
    Path out = dir.resolve("out");
    ProcessBuilder command =
        cluster().command("n2", List.of("sh", "-c", "hostname; getent hosts n3"));
    run(command.redirectOutput(out.toFile()));
    assertThat(out).content().startsWith("n2\n").contains(cluster().nodes().get(2).address());
    assertThat(Path.of("/etc/hosts")).content().doesNotContain(" n3");
  }

  @Test
  void aCutLinkCarriesNothingUntilItIsRestored() throws Exception {
    await().atMost(SOON).until(() -> reachesNameNode("n3"));
    cluster().cutLink("n3");
    try {
      await().atMost(SOON).until(() -> !reachesNameNode("n3"));
      // Retries, because a connection attempt may time out on a busy machine.
      await().atMost(SOON).until(() -> reachesNameNode("n2"));
      assertThat(reachesNameNode("n3")).isFalse();
      assertThat(cluster().status().isComplete()).as("all processes still run").isTrue();
    } finally {
      cluster().healLink("n3");
    }
    await().atMost(SOON).until(() -> reachesNameNode("n3"));
    await().atMost(SOON).until(() -> cluster().status().liveDataNodes() == 3);
  }

  @Test
  void noLinkIsFasterThanItsRate() throws Exception {
    Path file = Files.write(dir.resolve("big"), new byte[MEGABYTES * 1024 * 1024]);
    // From outside to one node: its link carries each byte once.
    long startNanos = System.nanoTime();
    run(
        cluster()
            .java(
                "master",
                "org.apache.hadoop.fs.FsShell",
                List.of("-D", "dfs.replication=1", "-put", file.toString(), "/big")));
    Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
    // The token bucket lets its initial content through at once.
    Duration minimum = Duration.ofMillis(MEGABYTES * 1024L * 1024 * 8 * 9 / 10 / 50_000);
    assertThat(took).isGreaterThan(minimum);
  }

  @Test
  void theOutsideNodeIsOnTheNetworkAndItsTrafficIsCounted() throws Exception {
    long before = cluster().traffic("outside").sent();
    await().atMost(SOON).until(() -> reachesNameNode("outside"));
    assertThat(cluster().traffic("outside").sent()).isGreaterThan(before);
    assertThat(cluster().nodes()).extracting(NodeInfo::name).doesNotContain("outside");
    assertThat(cluster().outside()).isPresent();
  }

  private boolean reachesNameNode(String node) throws Exception {
    String address = cluster().master().address();
    ProcessBuilder connect =
        cluster()
            .command(node, List.of("timeout", "2", "bash", "-c", "</dev/tcp/" + address + "/8020"));
    return connect.redirectErrorStream(true).start().waitFor() == 0;
  }
}
