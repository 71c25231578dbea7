package dev.weir.cluster.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.process.Daemon;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterPlanTest {
  private static final HadoopJars JARS =
      new HadoopJars(
          Path.of("/hadoop"), List.of(Path.of("/plugins/a.jar")), List.of(Path.of("/lib/b.jar")));

  @TempDir private Path dir;

  @Test
  void nodesAreAssignedToRacksRoundRobin() {
    assertThat(plan(1, 5, 2, HostKind.NAMESPACES).workers())
        .extracting(NodeInfo::rack)
        .containsExactly("/rack1", "/rack2", "/rack1", "/rack2", "/rack1");
  }

  @Test
  void noTwoHostsOfAnyTwoClustersShareAnAddress() {
    Set<String> addresses = new HashSet<>();
    int count = 0;
    for (HostKind hosts : HostKind.values()) {
      for (int index : new int[] {1, 2, ClusterPlan.MAX_CLUSTERS}) {
        ClusterPlan plan = plan(index, ClusterSpec.MAX_NODES, 1, hosts);
        plan.all().forEach(node -> addresses.add(node.address()));
        addresses.add(plan.gateway());
        count += ClusterSpec.MAX_NODES + 3;
      }
    }
    assertThat(addresses).hasSize(count);
  }

  @Test
  void everyAddressIsValid() {
    ClusterPlan plan = plan(ClusterPlan.MAX_CLUSTERS, ClusterSpec.MAX_NODES, 1, HostKind.LOOPBACK);
    assertThat(plan.all())
        .allSatisfy(
            node ->
                assertThat(node.address().split("\\."))
                    .hasSize(4)
                    .allSatisfy(part -> assertThat(Integer.parseInt(part)).isBetween(0, 255)));
  }

  @Test
  void interfaceNamesFitTheKernelsLimit() {
    ClusterPlan plan =
        plan(ClusterPlan.MAX_CLUSTERS, ClusterSpec.MAX_NODES, 1, HostKind.NAMESPACES);
    assertThat(plan.all())
        .extracting(node -> plan.interfaceOf(node.name()))
        .doesNotHaveDuplicates()
        .allSatisfy(name -> assertThat(name).hasSizeLessThan(16));
  }

  @Test
  void anUnknownNodeIsRefusedWithTheKnownNodes() {
    assertThatThrownBy(() -> plan(1, 3, 1, HostKind.LOOPBACK).require("n4"))
        .hasMessage("No node 'n4': this cluster has master, master2 and n1 to n3");
  }

  @Test
  void theFirstHintsServiceIsOnTheMasterAndTheOthersOnNodes() {
    ClusterPlan plan =
        new ClusterPlan(
            1, dir, 2, 1, HostKind.LOOPBACK, LinkRate.UNLIMITED, JARS, new DaemonLayout(1, 3));
    assertThat(Daemon.of(plan))
        .extracting(daemon -> daemon.name() + " on " + daemon.node())
        .containsExactly(
            "namenode on master",
            "resourcemanager on master",
            "zookeeper on master",
            "hints on master",
            "hints2 on n1",
            "hints3 on n2",
            "n1 on n1",
            "n2 on n2");
  }

  @Test
  void aSplitNodeHasADaemonForItsDataNodeAndOneForItsNodeManager() {
    ClusterPlan plan =
        new ClusterPlan(
            1,
            dir,
            2,
            1,
            HostKind.LOOPBACK,
            LinkRate.UNLIMITED,
            JARS,
            new DaemonLayout(1, 1, 0, false, true, false));
    assertThat(Daemon.of(plan))
        .extracting(daemon -> daemon.name() + " on " + daemon.node())
        .containsExactly(
            "namenode on master",
            "resourcemanager on master",
            "zookeeper on master",
            "n1-datanode on n1",
            "n1-nodemanager on n1",
            "n2-datanode on n2",
            "n2-nodemanager on n2");
    assertThatThrownBy(() -> Daemon.require(plan, "n1"))
        .hasMessageContaining("No daemon 'n1'")
        .hasMessageContaining("n1-datanode, n1-nodemanager");
  }

  @Test
  void theSecondNameNodeHasItsOwnMaster() {
    assertThat(Daemon.nameNodes(plan(1, 3, 1, HostKind.LOOPBACK)))
        .extracting(daemon -> daemon.name() + " on " + daemon.node())
        .containsExactly("namenode on master", "namenode2 on master2");
  }

  @Test
  void aWrittenPlanIsReadBack() throws Exception {
    ClusterPlan plan =
        new ClusterPlan(
            7,
            dir,
            4,
            2,
            HostKind.NAMESPACES,
            LinkRate.parse("200mbit"),
            JARS.withDaemons(Path.of("/hadoop-3.4.3")),
            new DaemonLayout(2, 2, 3, true, true, false));
    PlanCodec.write(plan);
    assertThat(PlanCodec.read(dir, registry())).isEqualTo(plan);
    assertThat(dir.toFile().list()).containsExactly("cluster.json");
  }

  @Test
  void aPlanIsNeverWrittenOverAnother() throws Exception {
    ClusterPlan plan = plan(1, 1, 1, HostKind.LOOPBACK);
    PlanCodec.write(plan);
    assertThatThrownBy(() -> PlanCodec.write(plan)).hasMessageContaining("cluster.json");
  }

  @Test
  void aDirectoryWithoutAClusterIsRefusedWithARemedy() {
    assertThatThrownBy(() -> PlanCodec.read(dir, registry()))
        .hasMessageContaining("No cluster in " + dir)
        .hasMessageContaining("weir cluster status");
  }

  @Test
  void aDamagedPlanIsReportedWithItsFile() throws Exception {
    Path file = dir.resolve("cluster.json");
    for (String json : new String[] {"{", "{}", "{\"version\":2}", "[]", ""}) {
      Files.writeString(file, json);
      assertThatThrownBy(() -> PlanCodec.read(dir, registry()))
          .as(json)
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining(file + " is damaged");
    }
    Files.writeString(file, "{\"version\":1}");
    assertThatThrownBy(() -> PlanCodec.read(dir, registry()))
        .hasMessageContaining("another version");
  }

  private ClusterRegistry registry() {
    return new ClusterRegistry(dir.resolve("registry"));
  }

  private ClusterPlan plan(int index, int nodes, int racks, HostKind hosts) {
    return new ClusterPlan(
        index, dir, nodes, racks, hosts, LinkRate.UNLIMITED, JARS, new DaemonLayout(2, 1));
  }
}
