package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hdfs.NodeSite;
import dev.weir.hdfs.placement.Sites;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the cached DataNodes of a topology are refreshed. */
class TopologySitesTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final NetworkTopology topology = new NetworkTopology();
  private final AtomicLong now = new AtomicLong();
  private final TopologySites sites =
      new TopologySites(topology, TopologySitesTest::site, now::get);
  private List<DatanodeDescriptor> nodes = List.of();

  @BeforeEach
  void makeNodes() {
    nodes = new ArrayList<>();
    String[] racks = {"/d1/a", "/d1/a", "/d1/b", "/d2/c"};
    String[] hosts = {"n1", "n2", "n3", "n4"};
    for (DatanodeStorageInfo storage : DFSTestUtil.createDatanodeStorageInfos(4, racks, hosts)) {
      nodes.add(storage.getDatanodeDescriptor());
      topology.add(storage.getDatanodeDescriptor());
    }
  }

  @Test
  void listsAllNodesOfAllRacks() {
    assertThat(present()).containsExactlyInAnyOrder("n1", "n2", "n3", "n4");
  }

  @Test
  void anEmptyTopologyHasNone() {
    assertThat(
            new TopologySites(new NetworkTopology(), TopologySitesTest::site, now::get)
                .get()
                .size())
        .isZero();
  }

  @Test
  void unchangedNodesAreTheSameObject() {
    Sites<NodeSite> before = sites.get();
    now.addAndGet(10 * SECOND);
    assertThat(sites.get()).isSameAs(before);
    now.addAndGet(SECOND / 2);
    assertThat(sites.get()).isSameAs(before);
  }

  @Test
  void anAddedOrRemovedNodeIsSeenAtOnce() {
    sites.get();
    topology.remove(nodes.get(1));
    assertThat(present()).containsExactlyInAnyOrder("n1", "n3", "n4");
    topology.add(nodes.get(1));
    assertThat(present()).containsExactlyInAnyOrder("n1", "n2", "n3", "n4");
  }

  @Test
  void aReplacedNodeIsSeenAfterASecond() {
    topology.remove(nodes.get(3));
    sites.get();
    topology.remove(nodes.get(0));
    topology.add(nodes.get(3));
    now.addAndGet(SECOND);
    assertThat(present()).containsExactlyInAnyOrder("n2", "n3", "n4");
  }

  /** A DataNode may register with its old UUID from another address. */
  @Test
  void aRenamedOrMovedNodeIsSeenAfterASecond() {
    sites.get();
    DatanodeDescriptor node = nodes.get(2);
    topology.remove(node);
    node.updateRegInfo(
        new DatanodeID("9.9.9.9", "n9", node.getDatanodeUuid(), 1, 2, 3, node.getIpcPort()));
    node.setNetworkLocation("/d2/c");
    topology.add(node);
    now.addAndGet(SECOND);
    assertThat(present()).containsExactlyInAnyOrder("n1", "n2", "n9", "n4");
    Sites<NodeSite> renamed = sites.get();
    topology.remove(node);
    node.setNetworkLocation("/d1/a");
    topology.add(node);
    now.addAndGet(SECOND);
    assertThat(sites.get()).as("sites after the rack changed").isNotSameAs(renamed);
  }

  @Test
  void eligibilityIsCheckedOncePerSecond() {
    AtomicInteger checks = new AtomicInteger();
    NodeEligibility eligibility = new NodeEligibility(now::get);
    Set<StorageType> types = Set.of(StorageType.DISK);
    for (int i = 0; i < 5; i++) {
      NodeEligibility.Results results = eligibility.of(sites.get(), 1, types);
      assertThat(results.get(0, node -> checks.incrementAndGet() > 0)).isTrue();
    }
    assertThat(checks).hasValue(1);
    assertThat(eligibility.of(sites.get(), 2, types).get(0, node -> false)).as("size").isFalse();
    assertThat(eligibility.of(sites.get(), 1, Set.of(StorageType.SSD)).get(0, node -> false))
        .as("type")
        .isFalse();
    now.addAndGet(SECOND);
    assertThat(eligibility.of(sites.get(), 1, types).get(0, node -> false)).as("later").isFalse();
    topology.remove(nodes.get(0));
    assertThat(eligibility.of(sites.get(), 1, types).get(0, node -> true)).as("others").isTrue();
  }

  private List<String> present() {
    Sites<NodeSite> known = sites.get();
    List<String> hosts = new ArrayList<>();
    for (int i = 0; i < known.size(); i++) {
      hosts.add(known.get(i).host());
    }
    return hosts;
  }

  private static NodeSite site(DatanodeDescriptor node) {
    return new NodeSite(node, node.getNetworkLocation());
  }
}
