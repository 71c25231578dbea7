package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hdfs.placement.LazyHints;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.LogLimit;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.store.InMemoryHintStore;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hints on top of each of Hadoop's policies: 4 racks with 2 groups of 2 nodes each. */
class BasePolicyTest {
  private static final long BLOCK = 1 << 20;
  private static final List<String> HINTS =
      List.of(
          "pipeline",
          "local",
          "local,lazy,temporary",
          "reduce=g",
          "collocate=g",
          "collocate=g,spread=3",
          "nodes=n0+n1+n2+n3+n4",
          "nodes=n0+n1,lazy",
          "region=1m",
          "replicas=3",
          "lazy");

  private final Configuration conf = new Configuration(false);
  private final BlockStoragePolicy storagePolicy =
      BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy();
  private DatanodeStorageInfo[] storages = {};

  @ParameterizedTest
  @ValueSource(
      classes = {
        BlockPlacementPolicyDefault.class,
        BlockPlacementPolicyWithUpgradeDomain.class,
        BlockPlacementPolicyRackFaultTolerant.class,
        AvailableSpaceBlockPlacementPolicy.class,
        AvailableSpaceRackFaultTolerantBlockPlacementPolicy.class,
        BlockPlacementPolicyWithNodeGroup.class
      })
  void whatHintsPlaceSatisfiesTheBasePolicy(Class<? extends BlockPlacementPolicyDefault> base) {
    boolean hasGroups = base == BlockPlacementPolicyWithNodeGroup.class;
    NetworkTopology topology =
        hasGroups
            ? new NetworkTopologyWithNodeGroup()
            : DFSNetworkTopology.getInstance(new Configuration());
    addNodes(topology, hasGroups);
    for (String hint : HINTS) {
      WeirBlockPlacementPolicy policy = policy(base, hint, topology);
      for (DatanodeStorageInfo writer : storages) {
        List<DatanodeStorageInfo> all =
            new ArrayList<>(
                place(policy, 3, writer, List.of(), EnumSet.noneOf(AddBlockFlag.class)));
        assertSatisfied(policy, all, all.size(), base + " " + hint + " when written");
        if (all.size() < 3) {
          all.addAll(place(policy, 3 - all.size(), all.get(0), List.copyOf(all), null));
        }
        assertThat(all).hasSize(3).doesNotHaveDuplicates();
        assertSatisfied(policy, all, 3, base + " " + hint);
      }
    }
  }

  /** The policy with node groups changes what it is given. */
  private static void assertSatisfied(
      WeirBlockPlacementPolicy policy,
      List<DatanodeStorageInfo> placed,
      int replicas,
      String what) {
    DatanodeInfo[] copies =
        placed.stream()
            .map(
                storage ->
                    new DatanodeInfo.DatanodeInfoBuilder()
                        .setFrom(storage.getDatanodeDescriptor())
                        .build())
            .toArray(DatanodeInfo[]::new);
    BlockPlacementStatus status = policy.verifyBlockPlacement(copies, replicas);
    assertThat(status.isPlacementPolicySatisfied())
        .as("%s: %s, %s", what, placed, status.getErrorDescription())
        .isTrue();
  }

  @Test
  void aBaseThatIsNoPolicyStopsTheNameNodeAsInStock() {
    conf.set(WeirBlockPlacementPolicy.BASE_KEY, String.class.getName());
    assertThatThrownBy(() -> new WeirBlockPlacementPolicy().initialize(conf, null, null, null))
        .hasMessageContaining("String");
    conf.set(WeirBlockPlacementPolicy.BASE_KEY, WeirBlockPlacementPolicy.class.getName());
    assertThatThrownBy(() -> new WeirBlockPlacementPolicy().initialize(conf, null, null, null))
        .hasMessageContaining(WeirBlockPlacementPolicy.BASE_KEY);
  }

  /** A later Hadoop may add methods that must go to the base. */
  @Test
  void allMethodsThatOthersCallGoToTheBase() {
    // These call only others of the same object, or are for tests of the base class.
    Set<String> own =
        Set.of(
            "adjustSetsWithChosenReplica",
            "splitNodesWithRack",
            "getDatanodeInfo",
            "useDelHint",
            "notReduceNumOfGroups",
            "chooseStorage4Block");
    Set<String> missing = new TreeSet<>();
    for (Class<?> type : List.of(BlockPlacementPolicy.class, BlockPlacementPolicyDefault.class)) {
      for (Method method : type.getDeclaredMethods()) {
        int modifiers = method.getModifiers();
        boolean isHidden =
            Modifier.isPrivate(modifiers)
                || Modifier.isStatic(modifiers)
                || Modifier.isProtected(modifiers)
                || method.isSynthetic();
        if (!isHidden && !own.contains(method.getName()) && !isForwarded(method)) {
          missing.add(method.toString());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  private static boolean isForwarded(Method method) {
    return Arrays.stream(WeirBlockPlacementPolicy.class.getDeclaredMethods())
        .anyMatch(
            own ->
                own.getName().equals(method.getName())
                    && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
  }

  private void addNodes(NetworkTopology topology, boolean hasGroups) {
    int count = 16;
    String[] racks = new String[count];
    String[] hosts = new String[count];
    for (int i = 0; i < count; i++) {
      racks[i] = "/r" + i / 4 + (hasGroups ? "/g" + i / 2 : "");
      hosts[i] = "n" + i;
    }
    storages = DFSTestUtil.createDatanodeStorageInfos(count, racks, hosts);
    for (int i = 0; i < count; i++) {
      DatanodeDescriptor node = storages[i].getDatanodeDescriptor();
      node.setUpgradeDomain("domain" + i % 5);
      PolicyOverTwoRacks.setFree(node, 1000 * BLOCK);
      topology.add(node);
    }
  }

  private WeirBlockPlacementPolicy policy(
      Class<? extends BlockPlacementPolicyDefault> base, String hint, NetworkTopology topology) {
    conf.set(WeirBlockPlacementPolicy.BASE_KEY, base.getName());
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
    InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
    Rule rule = new Rule(PathPattern.literal("/f"), HintText.parse(hint));
    store.put(new HintSet("s", "alice", null, List.of(rule)));
    LazyHints hints = new LazyHints(() -> store, LogLimit.oncePerMinute());
    hints.start();
    assertThat(hints.awaitLoaded(Duration.ofSeconds(30))).isTrue();
    WeirBlockPlacementPolicy policy = new WeirBlockPlacementPolicy(unused -> hints);
    policy.initialize(conf, null, topology, null);
    return policy;
  }

  private List<DatanodeStorageInfo> place(
      WeirBlockPlacementPolicy policy,
      int replicas,
      DatanodeStorageInfo writer,
      List<DatanodeStorageInfo> chosen,
      @Nullable EnumSet<AddBlockFlag> flags) {
    Node node = writer.getDatanodeDescriptor();
    Set<Node> excluded = new HashSet<>();
    chosen.forEach(storage -> excluded.add(storage.getDatanodeDescriptor()));
    return List.of(
        policy.chooseTarget(
            "/f", replicas, node, chosen, false, excluded, BLOCK, storagePolicy, flags));
  }
}
