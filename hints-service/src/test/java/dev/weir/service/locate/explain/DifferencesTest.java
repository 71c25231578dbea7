package dev.weir.service.locate.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.Hint;
import dev.weir.hints.HintText;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.WatcherInfo;
import dev.weir.service.locate.files.FileBlock;
import dev.weir.service.locate.files.FileInfo;
import dev.weir.service.locate.files.Replica;
import dev.weir.service.locate.nodes.ClusterNodes;
import dev.weir.service.locate.nodes.DataNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DifferencesTest {
  private static final long MIB = 1 << 20;
  private static final String PATH = "/d/f";
  private static final Instant T1 = Instant.parse("2026-01-01T10:00:00Z");
  private static final Instant T2 = Instant.parse("2026-01-01T11:00:00Z");
  private static final NameNodeRuleStatus UP_TO_DATE = ruleStatus(5);

  private final List<DataNode> nodes = new ArrayList<>();
  private final List<DataNode> dead = new ArrayList<>();

  DifferencesTest() {
    for (int i = 1; i <= 6; i++) {
      nodes.add(node("n" + i, i <= 3 ? "/a" : "/b", DataNode.State.IN_SERVICE, 100 * MIB));
    }
  }

  @Test
  void matchingFileHasNoDifferences() {
    Hint hint = HintText.parse("collocate=g,replicas=2");
    List<DataNode> anchors = wanted(hint, file(2, MIB)).nodes();
    assertThat(anchors).hasSize(2);
    assertThat(find(hint, file(2, MIB, hosts(anchors), hosts(anchors)), UP_TO_DATE, T1)).isEmpty();
  }

  @Test
  void explainsFileOlderThanSet() {
    Hint hint = HintText.parse("collocate=g,replicas=2");
    List<String> others = othersThan(wanted(hint, file(2, MIB)).nodes());
    assertThat(find(hint, file(2, MIB, others), UP_TO_DATE, T2))
        .hasSize(2)
        .allSatisfy(why -> assertThat(why).contains("before the hint set was last changed"));
    assertThat(find(hint, file(2, MIB, others), UP_TO_DATE, null))
        .allSatisfy(why -> assertThat(why).contains("no known fact explains it"));
  }

  @Test
  void explainsNameNodeWithoutHints() {
    Hint hint = HintText.parse("collocate=g,replicas=2");
    FileInfo file = file(2, MIB, othersThan(wanted(hint, file(2, MIB)).nodes()));
    assertThat(find(hint, file, new NameNodeRuleStatus(List.of(), 5), T2))
        .allSatisfy(why -> assertThat(why).contains("dfs.block.replicator.classname"));
    assertThat(find(hint, file, ruleStatus(4), T2))
        .allSatisfy(
            why -> assertThat(why).contains("only up to version 4, the rule has version 5"));
  }

  @Test
  void explainsOriginOfReplication() {
    Hint hint = HintText.parse("broadcast=4");
    assertThat(find(hint, file(2, MIB, List.of("n1", "n2")), UP_TO_DATE, T1))
        .containsExactly(
            "the file's replication is 2, not 4: the writer chose it explicitly, because the"
                + " default is 3; Weir does not change it");
    assertThat(find(hint, file(3, MIB, List.of("n1", "n2", "n3")), UP_TO_DATE, T1))
        .singleElement()
        .asString()
        .contains("fs.hdfs.impl", "service's leader");
    assertThat(find(hint, file(3, MIB, List.of("n1", "n2", "n3")), UP_TO_DATE, T2))
        .singleElement()
        .asString()
        .contains("before the hint set was last changed");
  }

  @Test
  void explainsUnavailableAnchor() {
    Hint hint = HintText.parse("collocate=g,replicas=1");
    DataNode anchor = wanted(hint, file(1, MIB)).nodes().get(0);
    List<String> others = othersThan(List.of(anchor)).subList(0, 1);
    replace(anchor, DataNode.State.DECOMMISSIONED, 100 * MIB);
    assertThat(find(hint, file(1, MIB, others), UP_TO_DATE, T1))
        .containsExactly(
            anchor.host() + " lacks 1 of 1 blocks: it is decommissioned, or about to be");
    replace(anchor, DataNode.State.STALE, 100 * MIB);
    assertThat(find(hint, file(1, MIB, others), UP_TO_DATE, T1).get(0)).contains("no heartbeat");
    replace(anchor, DataNode.State.IN_SERVICE, 5);
    assertThat(find(hint, file(1, MIB, others), UP_TO_DATE, T1).get(0))
        .contains("room for 5 bytes");
  }

  @Test
  void explainsReplacedDeadAnchor() {
    Hint hint = HintText.parse("collocate=g,replicas=1");
    DataNode anchor = wanted(hint, file(1, MIB)).nodes().get(0);
    nodes.remove(anchor);
    dead.add(node(anchor.host(), anchor.rack(), DataNode.State.DEAD, 0));
    DataNode next = wanted(hint, file(1, MIB)).nodes().get(0);
    assertThat(find(hint, file(1, MIB, List.of(next.host())), UP_TO_DATE, T1))
        .containsExactly(
            anchor.host()
                + " is not an anchor of the group 'g': it is dead; the next node in"
                + " the group's order replaces it");
  }

  @Test
  void explainsMissingNamedNodes() {
    Hint hint = HintText.parse("nodes=n9+n2+n4,replicas=2");
    dead.add(node("n9", "/a", DataNode.State.DEAD, 0));
    assertThat(find(hint, file(2, MIB, List.of("n2", "n4")), UP_TO_DATE, T1))
        .containsExactly("n9 has no replica: it is dead");
    dead.clear();
    assertThat(find(hint, file(2, MIB, List.of("n2", "n4")), UP_TO_DATE, T1))
        .containsExactly("n9 has no replica: no DataNode has that name");
  }

  @Test
  void explainsLazyReplication() {
    Hint hint = HintText.parse("reduce=g");
    assertThat(find(hint, file(3, MIB, List.of("n1")), UP_TO_DATE, T1))
        .isNotEmpty()
        .allSatisfy(why -> assertThat(why).contains("lazy"));
    assertThat(find(HintText.parse("pipeline"), file(3, MIB, List.of("n1")), UP_TO_DATE, T1))
        .singleElement()
        .asString()
        .contains("1 of 1 blocks have fewer replicas than 3");
  }

  @Test
  void requiresLocalFileOnOneNode() {
    Hint hint = HintText.parse("local");
    assertThat(find(hint, file(1, MIB, List.of("n1"), List.of("n1")), UP_TO_DATE, T1)).isEmpty();
    assertThat(find(hint, file(1, MIB, List.of("n1"), List.of("n2")), UP_TO_DATE, T1))
        .singleElement()
        .asString()
        .contains("no node has all blocks", "writer's host has no DataNode");
  }

  @Test
  void requiresRegionOnOneNode() {
    Hint hint = HintText.parse("scatter=2m");
    assertThat(
            find(
                hint,
                file(1, MIB, List.of("n1"), List.of("n1"), List.of("n2"), List.of("n2")),
                UP_TO_DATE,
                T1))
        .isEmpty();
    assertThat(
            find(
                hint,
                file(1, MIB, List.of("n1"), List.of("n3"), List.of("n2"), List.of("n2")),
                UP_TO_DATE,
                T1))
        .singleElement()
        .asString()
        .startsWith("1 regions are not complete on any node");
    assertThat(find(HintText.parse("scatter=3m"), file(1, 2 * MIB, List.of("n1")), UP_TO_DATE, T1))
        .singleElement()
        .asString()
        .startsWith("the block size is 2097152, not 1572864");
  }

  @Test
  void explainsBroadcastToTooManyNodes() {
    Hint hint = HintText.parse("broadcast=8");
    List<String> all = nodes.stream().map(DataNode::host).toList();
    assertThat(find(hint, file(8, MIB, all), UP_TO_DATE, T1))
        .singleElement()
        .asString()
        .contains("there are only 6 live DataNodes");
  }

  @Test
  void explainsErasureCodedFile() {
    FileInfo striped = new FileInfo(false, 1, 1, MIB, T1, false, true, List.of());
    assertThat(find(HintText.parse("broadcast=8"), striped, UP_TO_DATE, T1)).hasSize(1);
  }

  @Test
  void regionsCycleThroughNodes() {
    Hint hint = HintText.parse("scatter=1m");
    FileInfo file = new FileInfo(false, 100 * MIB, 1, MIB, T1, false, false, List.of());
    assertThat(wanted(hint, file).nodes()).hasSize(6).doesNotHaveDuplicates();
  }

  private List<String> find(
      Hint hint, FileInfo file, NameNodeRuleStatus ruleStatus, @Nullable Instant changed) {
    return new Differences(
            hint,
            wanted(hint, file),
            file,
            ClusterNodes.of(nodes, dead),
            new DifferenceCauses(ruleStatus, file.modified(), changed, 3))
        .find(PATH).stream()
            .map(difference -> difference.what() + ": " + difference.why())
            .toList();
  }

  private HintedLayout wanted(Hint hint, FileInfo file) {
    return HintedLayout.of(
        hint, PATH, HintedLayout.FileSize.of(file), ClusterNodes.of(nodes, dead));
  }

  private List<String> othersThan(List<DataNode> some) {
    List<DataNode> others = new ArrayList<>(nodes);
    others.removeAll(some);
    return hosts(others.subList(0, 2));
  }

  private void replace(DataNode anchor, DataNode.State state, long remaining) {
    nodes.replaceAll(
        one ->
            one.host().equals(anchor.host())
                ? node(one.host(), one.rack(), state, remaining)
                : one);
  }

  private static List<String> hosts(List<DataNode> some) {
    return some.stream().map(DataNode::host).toList();
  }

  private static DataNode node(String host, String rack, DataNode.State state, long remaining) {
    return new DataNode(host, 9866, rack, state, remaining, 0);
  }

  private static NameNodeRuleStatus ruleStatus(long version) {
    return new NameNodeRuleStatus(
        List.of(new WatcherInfo(HintStore.ROLE_NAMENODE, "nn", 1, version, "s")), 5);
  }

  /** A file with blocks on these hosts. */
  @SafeVarargs
  private static FileInfo file(int replication, long blockSize, List<String>... blocks) {
    List<FileBlock> all = new ArrayList<>();
    for (List<String> hosts : blocks) {
      List<Replica> replicas =
          hosts.stream().map(host -> new Replica(host, 9866, "/a", false)).toList();
      all.add(new FileBlock(all.size() * blockSize, blockSize, blockSize, replicas));
    }
    return new FileInfo(
        false, all.size() * blockSize, replication, blockSize, T1, false, false, all);
  }
}
