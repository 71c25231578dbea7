package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.weir.hdfs.NodeSite;
import dev.weir.hdfs.placement.Anchors;
import dev.weir.hdfs.placement.Kind;
import dev.weir.hdfs.placement.LazyHints;
import dev.weir.hdfs.placement.Outcome;
import dev.weir.hdfs.placement.PlacementMetrics;
import dev.weir.hdfs.placement.Reason;
import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.LogLimit;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Placement;
import dev.weir.hints.Presets;
import dev.weir.hints.Rule;
import dev.weir.hints.store.InMemoryHintStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The policy over a topology of two racks with three DataNodes each, without a NameNode. */
class WeirBlockPlacementPolicyTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final long BLOCK = 1 << 20;
  private static final EnumSet<AddBlockFlag> NEW = EnumSet.noneOf(AddBlockFlag.class);
  private static final Hint THROUGH =
      Hint.builder().placement(new Placement.Collocate("g")).build();

  private static final Hint NAMED =
      Hint.builder().placement(new Placement.Nodes(List.of("n5", "n2", "n3"))).build();

  private final Configuration conf = new Configuration(false);
  private final NetworkTopology topology = new NetworkTopology();
  private final BlockStoragePolicy storagePolicy =
      BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy();
  private final Map<String, Long> before = new HashMap<>();
  private List<DatanodeStorageInfo> storages = List.of();
  private List<DatanodeDescriptor> anchors = List.of();

  @BeforeEach
  void makeNodes() {
    // Load needs the statistics of a running NameNode.
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
    String[] racks = {"/a", "/a", "/a", "/b", "/b", "/b"};
    String[] hosts = {"n1", "n2", "n3", "n4", "n5", "n6"};
    storages = List.of(DFSTestUtil.createDatanodeStorageInfos(6, racks, hosts));
    List<NodeSite> sites = new ArrayList<>();
    for (DatanodeStorageInfo storage : storages) {
      topology.add(storage.getDatanodeDescriptor());
      setFree(storage.getDatanodeDescriptor(), 1000 * BLOCK);
      sites.add(new NodeSite(storage.getDatanodeDescriptor()));
    }
    anchors = Anchors.of("g", sites, 6).stream().map(NodeSite::node).toList();
    rememberCounters();
  }

  private void rememberCounters() {
    PlacementMetrics metrics = PlacementMetrics.registered();
    for (Kind kind : Kind.values()) {
      for (Outcome outcome : Outcome.values()) {
        before.put(kind + " " + outcome, metrics.count(kind, outcome));
      }
      for (Reason reason : Reason.values()) {
        before.put(kind + " " + reason, metrics.count(kind, reason));
      }
    }
  }

  @Test
  void initializesAsTheBalancerDoesIt() {
    assertThatCode(() -> new WeirBlockPlacementPolicy().initialize(conf, null, topology, null))
        .doesNotThrowAnyException();
    assertThatCode(() -> new WeirBlockPlacementPolicy().initialize(conf, null, null, null))
        .doesNotThrowAnyException();
  }

  @Test
  void watchesBeforeTheFirstBlockOnlyWhereANameNodeMakesIt() {
    for (boolean nameNode : new boolean[] {true, false}) {
      InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
      LazyHints hints = new LazyHints(() -> store, LogLimit.oncePerMinute());
      new WeirBlockPlacementPolicy(unused -> hints)
          .initialize(conf, nameNode ? new AvoidStale() : null, topology, null);
      assertThat(hints.awaitLoaded(nameNode ? LONG : Duration.ZERO)).isEqualTo(nameNode);
    }
  }

  @Test
  void startsWithoutHintsWhereTheStoreHangsOrThrows() {
    for (LazyHints hints : List.of(stuck(), throwing())) {
      WeirBlockPlacementPolicy policy = new WeirBlockPlacementPolicy(unused -> hints);
      policy.initialize(conf, new AvoidStale(), topology, null);
      assertThat(write(policy, 3, node(0), NEW)).hasSize(3).startsWith(node(0));
    }
  }

  private static LazyHints throwing() {
    return new LazyHints(
        () -> {
          throw new NoClassDefFoundError("no such library");
        },
        LogLimit.oncePerMinute());
  }

  private static LazyHints stuck() {
    return new LazyHints(
        () -> {
          await().forever().until(() -> false);
          throw new AssertionError("it never opens");
        },
        LogLimit.oncePerMinute());
  }

  @Test
  void withoutAQuorumEverythingIsStock() {
    WeirBlockPlacementPolicy policy = new WeirBlockPlacementPolicy();
    policy.initialize(conf, null, topology, null);
    assertThat(write(policy, 3, node(0), NEW)).hasSize(3).startsWith(node(0));
  }

  @Test
  void anIndexThatThrowsMeansStockAndOneLineAMinute() {
    AtomicLong now = new AtomicLong();
    AtomicLong asked = new AtomicLong();
    LogLimit limit =
        new LogLimit(
            Duration.ofMinutes(1),
            () -> {
              asked.incrementAndGet();
              return now.get();
            });
    LazyHints broken = new LazyHints(BrokenHintStore::new, limit);
    WeirBlockPlacementPolicy policy = policy(unused -> broken);
    write(policy, 3, node(0), NEW);
    await().atMost(LONG).until(() -> broken.awaitLoaded(LONG));
    long before = policy.metrics().failures();
    for (int i = 0; i < 10; i++) {
      assertThat(write(policy, 3, node(0), NEW)).hasSize(3).startsWith(node(0));
    }
    assertThat(policy.metrics().failures()).isEqualTo(before + 10);
    assertThat(asked).as("each fault asks the limit whether it may log").hasValueGreaterThan(9);
    assertThat(limit.permits()).as("the minute is used up").isFalse();
  }

  @Test
  void aStoreThatNeverOpensMeansStockAtOnce() {
    LazyHints stuck =
        new LazyHints(
            () -> {
              await().forever().until(() -> false);
              throw new IllegalStateException("unreachable");
            },
            LogLimit.oncePerMinute());
    WeirBlockPlacementPolicy policy = policy(unused -> stuck);
    assertThat(write(policy, 3, node(0), NEW)).hasSize(3).startsWith(node(0));
  }

  @Test
  void aFileWithoutAHintIsStock() {
    assertThat(write(hinted("/other", Presets.pipeline()), 3, node(0), NEW)).hasSize(3);
  }

  @Test
  void aLazyFileHasAsManyTargetsAsHdfsInsistsOn() {
    assertThat(write(hinted("/f", Presets.pipeline()), 3, node(1), NEW)).containsExactly(node(1));
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY, 2);
    assertThat(write(hinted("/f", Presets.pipeline()), 3, node(1), NEW))
        .hasSize(2)
        .startsWith(node(1));
  }

  @Test
  void aLocalFileWhoseNodeIsFullGoesToItsRackAndThenAnywhere() {
    setFree(node(1), 0);
    for (int i = 0; i < 20; i++) {
      assertThat(write(hinted("/f", Presets.pipeline()), 3, node(1), NEW))
          .singleElement()
          .isIn(node(0), node(2));
    }
    setFree(node(0), 0);
    setFree(node(2), 0);
    assertThat(write(hinted("/f", Presets.pipeline()), 3, node(1), NEW))
        .singleElement()
        .isIn(node(3), node(4), node(5));
  }

  @Test
  void aLocalFileOfAWriterWithoutADataNodeGoesToTheWritersRackAndThenAnywhere() {
    Node client = new NodeBase("/b/client");
    for (int i = 0; i < 20; i++) {
      assertThat(write(hinted("/f", Presets.pipeline()), 3, client, NEW))
          .singleElement()
          .isIn(node(3), node(4), node(5));
    }
    storages.subList(3, 6).forEach(storage -> setFree(storage.getDatanodeDescriptor(), 0));
    assertThat(write(hinted("/f", Presets.pipeline()), 3, client, NEW))
        .singleElement()
        .isIn(node(0), node(1), node(2));
    assertThat(write(hinted("/f", Presets.pipeline()), 3, new NodeBase("/c/elsewhere"), NEW))
        .singleElement()
        .isIn(node(0), node(1), node(2));
  }

  @Test
  void aProgramThatRulesTheLocalNodeOutIsObeyed() {
    for (AddBlockFlag flag : List.of(AddBlockFlag.NO_LOCAL_WRITE, AddBlockFlag.NO_LOCAL_RACK)) {
      assertThat(write(hinted("/f", Presets.pipeline()), 3, node(1), EnumSet.of(flag))).hasSize(3);
    }
  }

  @Test
  void aProgramThatNamesNodesIsObeyed() {
    DatanodeStorageInfo[] targets =
        hinted("/f", Presets.pipeline())
            .chooseTarget(
                "/f",
                2,
                node(0),
                new HashSet<>(),
                BLOCK,
                List.of(node(2), node(4)),
                storagePolicy,
                NEW);
    assertThat(nodes(targets)).containsExactlyInAnyOrder(node(2), node(4));
  }

  @Test
  void theRepairOfAPipelineIsStock() {
    DatanodeStorageInfo[] targets =
        hinted("/f", THROUGH)
            .chooseTarget(
                "/f",
                1,
                node(0),
                List.of(storages.get(0)),
                true,
                new HashSet<>(),
                BLOCK,
                storagePolicy,
                null);
    assertThat(nodes(targets)).hasSize(2).contains(node(0));
  }

  @Test
  void aRedirectOfWebHdfsIsStock() {
    DatanodeStorageInfo[] targets =
        hinted("/f", THROUGH)
            .chooseTarget("/f", 1, node(0), List.of(), false, null, BLOCK, storagePolicy, null);
    assertThat(nodes(targets)).containsExactly(node(0));
  }

  @Test
  void aCollocatedFileIsWrittenToItsAnchors() {
    for (DatanodeStorageInfo writer : storages) {
      assertThat(write(hinted("/f", THROUGH), 1, writer.getDatanodeDescriptor(), NEW))
          .containsExactly(anchors.get(0));
      assertThat(write(hinted("/f", THROUGH), 2, writer.getDatanodeDescriptor(), NEW))
          .containsExactlyInAnyOrder(anchors.get(0), anchors.get(1));
    }
    assertThat(write(hinted("/f", THROUGH), 3, null, NEW)).contains(anchors.get(0), anchors.get(1));
  }

  @Test
  void theNextAnchorStandsInForOneThatIsFullExcludedOrLeaving() {
    setFree(anchors.get(0), 0);
    assertThat(write(hinted("/f", THROUGH), 1, null, NEW)).containsExactly(anchors.get(1));
    anchors.get(1).startDecommission();
    assertThat(write(hinted("/f", THROUGH), 1, null, NEW)).containsExactly(anchors.get(2));
    Set<Node> excluded = new HashSet<>(Set.of(anchors.get(2)));
    DatanodeStorageInfo[] targets =
        hinted("/f", THROUGH)
            .chooseTarget("/f", 1, null, List.of(), false, excluded, BLOCK, storagePolicy, NEW);
    assertThat(nodes(targets)).containsExactly(anchors.get(3));
  }

  @Test
  void whereNoAnchorCanTakeTheBlockNobodyCan() {
    storages.forEach(storage -> setFree(storage.getDatanodeDescriptor(), 0));
    assertThat(write(hinted("/f", THROUGH), 3, node(0), NEW)).isEmpty();
  }

  @Test
  void namedNodesTakeTheBlockInTheOrderOfTheirNames() {
    assertThat(write(hinted("/f", NAMED), 2, node(0), NEW)).containsExactly(node(4), node(1));
    assertThat(write(hinted("/f", NAMED), 4, node(0), NEW))
        .hasSize(4)
        .startsWith(node(4), node(1), node(2));
  }

  @Test
  void copiesGoToNamedNodesToo() {
    assertThat(copies(hinted("/f", NAMED), storages.get(1), 1)).containsExactly(node(4));
    assertThat(copies(hinted("/f", NAMED), storages.get(4), 2)).containsExactly(node(1), node(2));
  }

  @Test
  void namedNodesThatCannotTakeTheBlockAreCountedByReason() {
    setFree(node(4), 0);
    node(1).startDecommission();
    WeirBlockPlacementPolicy policy = hinted("/f", NAMED);
    assertThat(write(policy, 2, node(0), NEW)).hasSize(2).startsWith(node(2));
    assertThat(decisions(Kind.NODES, Outcome.PARTLY)).isEqualTo(1);
    assertReasons(Kind.NODES, Map.of(Reason.FULL, 1L, Reason.LEAVING, 1L));
  }

  @Test
  void namesOfNoDataNodeAreCounted() {
    Hint ghost = Hint.builder().placement(new Placement.Nodes(List.of("ghost", "n3"))).build();
    WeirBlockPlacementPolicy policy = hinted("/f", ghost);
    assertThat(write(policy, 2, node(0), NEW)).hasSize(2).startsWith(node(2));
    assertThat(decisions(Kind.NODES, Outcome.PARTLY)).isEqualTo(1);
    assertReasons(Kind.NODES, Map.of(Reason.ABSENT, 1L));
  }

  @Test
  void namedNodesMustNotAllBeOnOneRack() {
    Hint oneRack = Hint.builder().placement(new Placement.Nodes(List.of("n1", "n2"))).build();
    WeirBlockPlacementPolicy policy = hinted("/f", oneRack);
    List<DatanodeDescriptor> placed = write(policy, 2, node(0), NEW);
    assertThat(placed).hasSize(2).startsWith(node(0)).doesNotContain(node(1));
    assertReasons(Kind.NODES, Map.of(Reason.RACK, 1L));
  }

  @Test
  void anchorsThatArePassedOverAreCountedByReason() {
    setFree(anchors.get(0), 0);
    anchors.get(1).startDecommission();
    WeirBlockPlacementPolicy policy = hinted("/f", THROUGH);
    DatanodeStorageInfo[] targets =
        policy.chooseTarget(
            "/f",
            1,
            null,
            List.of(),
            false,
            new HashSet<>(Set.of(anchors.get(2))),
            BLOCK,
            storagePolicy,
            NEW);
    assertThat(nodes(targets)).containsExactly(anchors.get(3));
    assertReasons(Kind.COLLOCATE, Map.of(Reason.FULL, 1L, Reason.LEAVING, 1L, Reason.EXCLUDED, 1L));
  }

  @Test
  void aStaleAnchorIsPassedOverAndCountedWhereStaleNodesAreAvoided() {
    DFSTestUtil.resetLastUpdatesWithOffset(anchors.get(0), -3_600_000);
    WeirBlockPlacementPolicy policy = hinted("/f", THROUGH, new AvoidStale());
    assertThat(write(policy, 1, null, NEW)).containsExactly(anchors.get(1));
    assertReasons(Kind.COLLOCATE, Map.of(Reason.STALE, 1L));
  }

  @Test
  void whyALocalFileIsNotLocalIsCounted() {
    setFree(node(1), 0);
    WeirBlockPlacementPolicy policy = hinted("/f", Presets.pipeline());
    write(policy, 3, node(1), NEW);
    write(policy, 3, null, NEW);
    assertReasons(Kind.LOCAL, Map.of(Reason.FULL, 1L, Reason.NO_WRITER, 1L));
  }

  @Test
  void moreReplicasThanNodesAreAsManyAsThereAreNodes() {
    assertThat(write(hinted("/f", THROUGH), 9, node(0), NEW)).hasSizeBetween(5, 6);
    assertThat(write(hinted("/f", Presets.broadcast(9)), 9, node(0), NEW)).hasSizeBetween(5, 6);
  }

  @Test
  void aPipelineGoesToTheWritersNodeFirst() {
    List<DatanodeDescriptor> placed = write(hinted("/f", THROUGH), 2, anchors.get(1), NEW);
    assertThat(placed).containsExactly(anchors.get(1), anchors.get(0));
  }

  @Test
  void copiesOfAFileWrittenBackGoToTheAnchors() {
    WeirBlockPlacementPolicy policy = hinted("/f", Presets.reduce("g"));
    write(policy, 3, node(0), NEW);
    for (DatanodeStorageInfo holder : storages) {
      List<DatanodeDescriptor> all = new ArrayList<>(copies(policy, holder, 2));
      all.add(holder.getDatanodeDescriptor());
      assertThat(all).hasSize(3).contains(anchors.get(0), anchors.get(1));
    }
  }

  @Test
  void aBroadcastIsStockWithMoreReplicas() {
    assertThat(write(hinted("/f", Presets.broadcast(5)), 5, node(0), NEW))
        .hasSize(5)
        .startsWith(node(0));
  }

  @Test
  void aPolicyThatIsDroppedClosesItsStore() {
    InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
    LazyHints hints = new LazyHints(() -> store.withRole("dropped"), LogLimit.oncePerMinute());
    writeOnce(hints);
    await().atMost(LONG).until(() -> store.awaitApplied(0, "dropped", Duration.ofMillis(1)));
    await()
        .atMost(LONG)
        .until(
            () -> {
              System.gc();
              return !store.awaitApplied(0, "dropped", Duration.ofMillis(1));
            });
  }

  /** In a method of its own, so that nothing holds the policy afterwards. */
  private void writeOnce(LazyHints hints) {
    write(policy(unused -> hints), 1, node(0), NEW);
  }

  private WeirBlockPlacementPolicy policy(Function<Configuration, LazyHints> hintsOf) {
    WeirBlockPlacementPolicy policy = new WeirBlockPlacementPolicy(hintsOf);
    policy.initialize(conf, null, topology, null);
    return policy;
  }

  /** A policy that has the hint already. */
  private WeirBlockPlacementPolicy hinted(String path, Hint hint) {
    return hinted(path, hint, null);
  }

  private WeirBlockPlacementPolicy hinted(String path, Hint hint, @Nullable FSClusterStats stats) {
    InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
    Rule rule = new Rule(PathPattern.literal(path), hint);
    store.put(new HintSet("s", "alice", null, List.of(rule)));
    LazyHints hints = new LazyHints(() -> store, LogLimit.oncePerMinute());
    hints.start();
    assertThat(hints.awaitLoaded(LONG)).isTrue();
    WeirBlockPlacementPolicy policy = new WeirBlockPlacementPolicy(unused -> hints);
    policy.initialize(conf, stats, topology, null);
    return policy;
  }

  private List<DatanodeDescriptor> write(
      WeirBlockPlacementPolicy policy,
      int replicas,
      @Nullable Node writer,
      EnumSet<AddBlockFlag> flags) {
    DatanodeStorageInfo[] targets =
        policy.chooseTarget(
            "/f",
            replicas,
            writer,
            new HashSet<>(),
            BLOCK,
            new ArrayList<>(),
            storagePolicy,
            flags);
    return nodes(targets);
  }

  private List<DatanodeDescriptor> copies(
      WeirBlockPlacementPolicy policy, DatanodeStorageInfo holder, int replicas) {
    DatanodeStorageInfo[] targets =
        policy.chooseTarget(
            "/f",
            replicas,
            holder.getDatanodeDescriptor(),
            List.of(holder),
            false,
            new HashSet<>(Set.of(holder.getDatanodeDescriptor())),
            BLOCK,
            storagePolicy,
            null);
    return nodes(targets);
  }

  /** Since the test began; the counters are those of the process. */
  private long decisions(Kind kind, Outcome outcome) {
    return PlacementMetrics.registered().count(kind, outcome)
        - before.getOrDefault(kind + " " + outcome, 0L);
  }

  private void assertReasons(Kind kind, Map<Reason, Long> expected) {
    for (Reason reason : Reason.values()) {
      long count = PlacementMetrics.registered().count(kind, reason);
      assertThat(count - before.getOrDefault(kind + " " + reason, 0L))
          .as("%s because %s", kind, reason)
          .isEqualTo(expected.getOrDefault(reason, 0L));
    }
  }

  private DatanodeDescriptor node(int index) {
    return storages.get(index).getDatanodeDescriptor();
  }

  private static List<DatanodeDescriptor> nodes(DatanodeStorageInfo[] targets) {
    return Arrays.stream(targets).map(DatanodeStorageInfo::getDatanodeDescriptor).toList();
  }

  private static void setFree(DatanodeDescriptor node, long bytes) {
    node.getStorageInfos()[0].setUtilizationForTesting(2000 * BLOCK, 0, bytes, 0);
    node.updateHeartbeat(BlockManagerTestUtil.getStorageReportsForDatanode(node), 0, 0, 0, 0, null);
  }
}
