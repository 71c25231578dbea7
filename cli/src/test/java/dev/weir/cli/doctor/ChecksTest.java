package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.weir.cli.doctor.Finding.Level;
import dev.weir.cli.doctor.Finding.Step;
import dev.weir.hints.HintPresets;
import dev.weir.hints.client.EffectiveHint;
import dev.weir.hints.client.ServiceStatus;
import dev.weir.hints.client.WatcherList;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ChecksTest {
  private static final URI DAEMON = URI.create("http://nn1:9870/");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** A daemon with some settings and one bean. */
  private static final class Daemon implements DaemonPages {
    private final Map<String, String> settings = new HashMap<>();
    private JsonNode bean = MissingNode.getInstance();
    private String yarn = "";

    Daemon set(String key, String value) {
      settings.put(key, value);
      return this;
    }

    Daemon bean(String json) throws IOException {
      bean = MAPPER.readTree(json);
      return this;
    }

    @Override
    public JsonNode read(URI daemon, String page) {
      var answer = MAPPER.createObjectNode();
      if (page.equals("/conf")) {
        var properties = answer.putArray("properties");
        settings.forEach(
            (key, value) -> properties.addObject().put("key", key).put("value", value));
      } else if (page.equals("/ws/v1/cluster/info")) {
        answer.putObject("clusterInfo").put("resourceManagerVersion", yarn);
      } else if (!bean.isMissingNode()) {
        answer.putArray("beans").add(bean);
      }
      return answer;
    }
  }

  private static Daemon nameNode() throws IOException {
    return new Daemon()
        .set("dfs.block.replicator.classname", Settings.POLICY)
        .set("weir.zookeeper.quorum", "zk:2181")
        .set("weir.zookeeper.writers", "digest:weir")
        .bean("{\"tag.Version\":\"1\",\"HintsConnected\":1,\"HintSets\":2,\"HintRules\":7}");
  }

  private static List<Finding> of(Daemon nameNode) throws IOException {
    return Findings.of(new NameNodeCheck(DAEMON, nameNode, "1"));
  }

  @Test
  void nameNodeThatAppliesHintsIsFine() throws Exception {
    assertThat(of(nameNode())).extracting(Finding::level).containsOnly(Level.FINE);
    assertThat(of(nameNode())).extracting(Finding::text).contains("7 rules in 2 sets are in force");
  }

  @Test
  void nameNodeWithAnotherPolicyGetsARemedy() throws Exception {
    Daemon stock = new Daemon().set("dfs.block.replicator.classname", "a.Stock");

    assertThat(of(stock))
        .filteredOn(finding -> finding.level() == Level.WRONG)
        .extracting(Finding::text)
        .containsExactly(
            "without a base, Weir's policy would replace a.Stock",
            "dfs.block.replicator.classname is a.Stock: HDFS places every file as stock",
            "weir.zookeeper.quorum is not set: the NameNode finds no hints",
            "weir.zookeeper.writers is not set: the NameNode follows no hints of the service",
            "the policy is not loaded: there is no bean WeirPlacement");
    assertThat(of(stock))
        .extracting(Finding::remedy)
        .anyMatch(remedy -> remedy.contains(Settings.POLICY));
  }

  @Test
  void countingMustNotReplaceTheAuditLog() throws Exception {
    String counter = "dev.weir.hdfs.audit.AccessAuditLogger";
    assertThat(of(nameNode().set(Settings.AUDIT_KEY, "default," + counter)))
        .extracting(Finding::level)
        .containsOnly(Level.FINE);
    assertThat(of(nameNode().set(Settings.AUDIT_KEY, counter)))
        .filteredOn(finding -> finding.level() == Level.WRONG)
        .extracting(Finding::setting)
        .containsExactly(
            new Finding.Setting("hdfs-site.xml", Settings.AUDIT_KEY, "default," + counter));
  }

  @Test
  void presentPolicyBecomesTheBase() throws Exception {
    Daemon stock = new Daemon().set(Settings.POLICY_KEY, Settings.STOCK_POLICY);
    assertThat(of(stock)).extracting(Finding::setting).doesNotContain(base(Settings.STOCK_POLICY));
    Daemon domains = new Daemon().set(Settings.POLICY_KEY, Settings.UPGRADE_DOMAIN_POLICY);
    assertThat(of(domains))
        .extracting(Finding::setting)
        .contains(base(Settings.UPGRADE_DOMAIN_POLICY));
    domains.set(Settings.BASE_KEY, Settings.UPGRADE_DOMAIN_POLICY);
    assertThat(of(domains))
        .extracting(Finding::setting)
        .doesNotContain(base(Settings.UPGRADE_DOMAIN_POLICY));
  }

  @Test
  void missingBaseShowsInOtherSettings() throws Exception {
    Daemon groups = nameNode().set(Settings.TOPOLOGY_KEY, Settings.NODE_GROUP_TOPOLOGY);
    assertThat(of(groups))
        .filteredOn(finding -> finding.level() == Level.WRONG)
        .extracting(Finding::setting)
        .containsExactly(base(Settings.NODE_GROUP_POLICY));
    groups.set(Settings.BASE_KEY, Settings.NODE_GROUP_POLICY);
    assertThat(of(groups)).extracting(Finding::level).containsOnly(Level.FINE);

    Daemon domains =
        nameNode()
            .bean(
                "{\"tag.Version\":\"1\",\"HintsConnected\":1,"
                    + "\"LiveNodes\":\"{\\\"n1\\\":{\\\"upgradeDomain\\\":\\\"a\\\"}}\"}");
    assertThat(of(domains))
        .filteredOn(finding -> finding.level() == Level.WRONG)
        .extracting(Finding::setting)
        .containsExactly(base(Settings.UPGRADE_DOMAIN_POLICY));
  }

  private static Finding.Setting base(String policy) {
    return new Finding.Setting("hdfs-site.xml", Settings.BASE_KEY, policy);
  }

  @Test
  void overdueCopiesAreAFault() throws Exception {
    Daemon late =
        nameNode()
            .bean(
                "{\"tag.Version\":\"1\",\"HintsConnected\":1,\"LazySuspended\":1,"
                    + "\"LazyOverdueFiles\":2,\"LazyOverdueSeconds\":1900}");
    assertThat(of(late))
        .filteredOn(finding -> finding.level() != Level.FINE)
        .extracting(Finding::level, Finding::text)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                Level.WRONG, "2 lazy files lack copies, the oldest for 31 minutes"),
            org.assertj.core.groups.Tuple.tuple(
                Level.NOTE,
                "writes lazy files eagerly, because HDFS has too many blocks with too few"
                    + " replicas"));
  }

  private static List<Finding> found(Consumer<Findings> check) {
    Findings findings = new Findings("part");
    check.accept(findings);
    return findings.all();
  }

  @Test
  void hintsOverHBaseAreNoted() {
    EffectiveHint hint =
        new EffectiveHint(
            "/hbase/WALs/any/any",
            HintPresets.pipeline(),
            "pipeline",
            "s",
            "alice",
            "/hbase/**",
            1);
    assertThat(found(findings -> HBaseCheck.add(hint, findings)))
        .singleElement()
        .extracting(Finding::level)
        .isEqualTo(Level.NOTE);
  }

  @Test
  void nameNodeWithoutHintsIsAFault() throws Exception {
    Daemon away = nameNode();
    away.bean("{\"tag.Version\":\"1\",\"HintsConnected\":0,\"HintsAgeMs\":61000}");
    assertThat(of(away))
        .extracting(Finding::level, Finding::text)
        .contains(
            org.assertj.core.groups.Tuple.tuple(
                Level.WRONG, "has not heard of hints for 61 s; it goes on with the last"));

    away.bean("{\"tag.Version\":\"1\"}");
    assertThat(of(away)).extracting(Finding::level).contains(Level.WRONG);
  }

  @Test
  void nameNodeWithoutWritersOfHintsGetsARemedy() throws Exception {
    String writers = "weir.zookeeper.writers";

    List<Finding> remedies =
        of(nameNode().set(writers, "")).stream()
            .filter(finding -> !finding.remedy().isEmpty())
            .toList();
    assertThat(remedies)
        .extracting(Finding::step)
        .containsExactly(Finding.Step.SETTINGS, Finding.Step.RESTART);
    assertThat(remedies.get(0).remedy()).startsWith("core-site.xml: " + writers + " = digest:");
    assertThat(of(nameNode().set(writers, "").set("weir.zookeeper.open", "true")))
        .extracting(Finding::level)
        .containsOnly(Level.FINE);
  }

  @Test
  void nameNodeWithThePolicyAndWithoutZooKeeperNeedsTheSettingAndARestart() throws Exception {
    Daemon alone = nameNode().set("weir.zookeeper.quorum", "").bean("{\"tag.Version\":\"1\"}");

    assertThat(of(alone))
        .filteredOn(finding -> !finding.remedy().isEmpty())
        .extracting(Finding::text)
        .containsExactly(
            "weir.zookeeper.quorum is not set: the NameNode finds no hints",
            "runs without these settings");
  }

  @Test
  void memoryOfHintsIsShown() throws Exception {
    Daemon nameNode = nameNode();
    nameNode.bean(
        "{\"tag.Version\":\"1\",\"HintsConnected\":1,\"HintRules\":9,\"HintSets\":2,"
            + "\"HintBytes\":3145728,\"HintBytesLimit\":268435456}");
    assertThat(of(nameNode))
        .extracting(Finding::text)
        .contains("9 rules in 2 sets are in force, with 3 of at most 256 MiB of memory");

    nameNode.bean("{\"tag.Version\":\"1\",\"HintsConnected\":1,\"HintRules\":1,\"HintSets\":1}");
    assertThat(of(nameNode)).extracting(Finding::text).contains("1 rule in 1 set is in force");
  }

  @Test
  void hintsThatAreNotFollowedAreReported() throws Exception {
    Daemon nameNode = nameNode();
    nameNode.bean(
        "{\"tag.Version\":\"1\",\"HintsConnected\":1,\"HintsRefused\":1,\"HintSetsLeftOut\":3,"
            + "\"HintBytesLimit\":1000}");
    assertThat(of(nameNode))
        .filteredOn(finding -> finding.level() != Level.FINE)
        .extracting(Finding::level, Finding::text)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                Level.WRONG,
                "does not follow hint sets that others than weir.zookeeper.writers may change"),
            org.assertj.core.groups.Tuple.tuple(
                Level.NOTE, "3 hint sets do not fit into 1000 bytes"));
  }

  @Test
  void faultsAndOtherVersionsAreNoted() throws Exception {
    Daemon faulty = nameNode();
    faulty.set("dfs.namenode.xattrs.enabled", "false");
    faulty.bean("{\"HintsConnected\":1,\"Failures\":3}");

    assertThat(of(faulty))
        .filteredOn(finding -> finding.level() == Level.NOTE)
        .extracting(Finding::text)
        .containsExactly(
            "dfs.namenode.xattrs.enabled is false: hints cannot be given with setfattr, and clients"
                + " do not learn replication and block size",
            "runs Weir an older version, this client is 1",
            "placed 3 blocks as stock because following a hint failed");
  }

  @Test
  void resourceManagerNeedsTheProcessorAndItsJar() throws Exception {
    Daemon daemon = new Daemon();
    ResourceManagerCheck check = new ResourceManagerCheck(DAEMON, daemon, "1");
    assertThat(Findings.of(check))
        .extracting(Finding::step)
        .containsExactly(Step.JARS, Step.SETTINGS, Step.RESTART);

    daemon.set(Settings.PROCESSORS_KEY, "a.Other , " + Settings.PROCESSOR);
    assertThat(Findings.of(check))
        .extracting(Finding::text)
        .containsExactly(
            "the processor is not loaded: there is no bean WeirAsks", "runs without the plugin");

    daemon.bean("{\"tag.Version\":\"1\",\"AllocatorLoaded\":0}");
    assertThat(Findings.of(check))
        .extracting(Finding::level)
        .containsExactly(Level.FINE, Level.FINE, Level.NOTE, Level.FINE);
    daemon.set(Settings.ALLOCATOR_KEY, Settings.ALLOCATOR);
    daemon.bean("{\"tag.Version\":\"1\",\"AllocatorLoaded\":1}");
    assertThat(Findings.of(check)).extracting(Finding::level).containsOnly(Level.FINE);
  }

  @Test
  void allocatorThatYarnCannotLoadIsReported() throws Exception {
    Daemon daemon =
        new Daemon()
            .set(Settings.PROCESSORS_KEY, Settings.PROCESSOR)
            .bean("{\"tag.Version\":\"1\",\"AllocatorLoaded\":0}");
    ResourceManagerCheck check = new ResourceManagerCheck(DAEMON, daemon, "1");

    for (String name : List.of("dev.weir.yarn.PlacementAllocator", Settings.ALLOCATOR)) {
      daemon.set(Settings.ALLOCATOR_KEY, name);
      assertThat(Findings.of(check)).extracting(Finding::level).contains(Level.WRONG);
    }
    daemon.yarn = "3.4.3";
    assertThat(Findings.of(check))
        .extracting(Finding::text)
        .contains("the placement allocator is set but not loaded into YARN 3.4.3");
    daemon.yarn = "3.3.6";
    assertThat(Findings.of(check))
        .extracting(Finding::level)
        .contains(Level.NOTE)
        .doesNotContain(Level.WRONG);
    daemon.set(Settings.ALLOCATOR_KEY, "a.Other");
    assertThat(Findings.of(check))
        .extracting(Finding::level)
        .contains(Level.NOTE)
        .doesNotContain(Level.WRONG);
  }

  @Test
  void resourceManagerReportsContainerLocality() throws Exception {
    Daemon daemon =
        new Daemon()
            .set(Settings.PROCESSORS_KEY, Settings.PROCESSOR)
            .set("weir.yarn.locality-wait.max-ms", "7000")
            .bean(
                "{\"tag.Version\":\"1\",\"AllocatorLoaded\":1,\"ContainersOnNamedNodes\":7,"
                    + "\"ContainersInNamedRacks\":2,\"ContainersElsewhere\":1,\"BytesSaved\":99,"
                    + "\"BytesOnNamedNodes\":140,\"BytesInNamedRacks\":40,\"BytesElsewhere\":20,"
                    + "\"MillisWaited\":2500,\"AsksPlaced\":6,\"AsksPartly\":2,"
                    + "\"AsksAnywhere\":4,\"AsksAddedLate\":1,\"Failures\":3}");

    assertThat(Findings.of(new ResourceManagerCheck(DAEMON, daemon, "1")))
        .extracting(Finding::text)
        .contains(
            "of 12 asks 6 were given nodes, 2 only for some of their names, 4 none; 1 late",
            "of 10 containers 7 came to a node with their bytes, 2 into its rack, 1 elsewhere",
            "their bytes: 140 B on the node, 40 B in the rack, 20 B elsewhere; 99 B saved;"
                + " waited 250 ms each",
            "3 times asks went on without files because of an error of the plugin")
        .anyMatch(text -> text.contains("at most 7000 ms"));
  }

  @Test
  void resourceManagerThatIgnoresFilesIsReported() throws Exception {
    Daemon daemon =
        new Daemon()
            .set(Settings.PROCESSORS_KEY, Settings.PROCESSOR)
            .set(Settings.AUTOCORRECT_KEY, "true")
            .bean("{\"tag.Version\":\"1\",\"AllocatorLoaded\":1}");

    assertThat(Findings.of(new ResourceManagerCheck(DAEMON, daemon, "1")))
        .filteredOn(finding -> finding.level() == Level.NOTE)
        .singleElement()
        .extracting(Finding::text)
        .asString()
        .startsWith(Settings.AUTOCORRECT_KEY + " is true: files that asks name are left out");
  }

  @Test
  void lookupsAndMastersAreReported() throws Exception {
    Daemon daemon =
        new Daemon()
            .set(Settings.PROCESSORS_KEY, Settings.PROCESSOR)
            .bean(
                "{\"tag.Version\":\"1\",\"AllocatorLoaded\":1,\"LookupsDone\":5,"
                    + "\"LookupsFailed\":2,\"LookupsRefused\":1,\"MastersOnNamedNodes\":3,"
                    + "\"MastersElsewhere\":1}");

    List<Finding> findings = Findings.of(new ResourceManagerCheck(DAEMON, daemon, "1"));
    assertThat(findings)
        .extracting(Finding::text)
        .contains("of 4 ApplicationMasters with inputs 3 came to a node that holds them");
    assertThat(findings)
        .filteredOn(finding -> finding.level() == Level.NOTE)
        .extracting(Finding::text)
        .containsExactly("of 8 look-ups of files 5 found them, 2 did not, 1 were not made");
  }

  @Test
  void allResourceManagersAreQueried() {
    Configuration one = new Configuration(false);
    one.set("yarn.resourcemanager.webapp.address", "rm:8088");
    assertThat(Daemons.resourceManagers(one)).containsExactly(URI.create("http://rm:8088"));

    Configuration two = new Configuration(false);
    two.set("yarn.resourcemanager.ha.enabled", "true");
    two.set("yarn.resourcemanager.ha.rm-ids", "a,b");
    // As on the host of one of the ResourceManagers.
    two.set("yarn.resourcemanager.ha.id", "b");
    two.set("yarn.resourcemanager.webapp.address.a", "rma:8088");
    two.set("yarn.resourcemanager.webapp.address.b", "rmb:8089");
    List<URI> both = Daemons.resourceManagers(two);
    assertThat(both).containsExactly(URI.create("http://rma:8088"), URI.create("http://rmb:8089"));
    assertThat(ResourceManagerCheck.ofEach(both, new Daemon(), "1"))
        .extracting(Check::subject)
        .containsExactly("ResourceManager rma:8088", "ResourceManager rmb:8089");
  }

  @Test
  void missingClientSettingsAreReported() {
    Configuration none = new Configuration(false);
    assertThat(Findings.of(new ClientCheck(none)))
        .extracting(Finding::level)
        .containsOnly(Level.NOTE)
        .hasSize(2);

    none.set("fs.hdfs.impl", Settings.CLIENT);
    none.set("weir.server.url", "http://h:9880");
    assertThat(Findings.of(new ClientCheck(none)))
        .extracting(Finding::level)
        .containsOnly(Level.FINE);
  }

  @Test
  void dataNodesAreCheckedForTheirCacheMemory() {
    assertThat(found(findings -> DataNodesCheck.judge(3, 5L << 20, findings)))
        .extracting(Finding::level)
        .containsOnly(Level.FINE);
    assertThat(found(findings -> DataNodesCheck.judge(0, 0, findings)))
        .extracting(Finding::level)
        .containsExactly(Level.WRONG, Level.NOTE);
  }

  @Test
  void dataNodesWithFullDisksAreCounted() {
    assertThat(found(findings -> DataNodesCheck.disks(List.of(40f, 15f), 90, findings))).isEmpty();
    assertThat(found(findings -> DataNodesCheck.disks(List.of(40f, 14f, 2f), 90, findings)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.level()).isEqualTo(Level.NOTE);
              assertThat(finding.text()).startsWith("2 of 3 have little or no space");
              assertThat(finding.remedy()).contains(Settings.DISK_KEY + ", now 90");
            });
    assertThat(found(findings -> DataNodesCheck.disks(List.of(7f), 98, findings))).isEmpty();
    assertThat(found(findings -> DataNodesCheck.disks(List.of(0f), 100, findings))).isEmpty();
  }

  @Test
  void disksHaveNoLimitIfTheNodeManagerDoesNotCheckThem() {
    Configuration yarn = new Configuration(false);
    assertThat(DataNodesCheck.diskLimit(yarn)).isEqualTo(90);
    yarn.set(Settings.DISK_KEY, "95");
    assertThat(DataNodesCheck.diskLimit(yarn)).isEqualTo(95);
    yarn.set(Settings.DISK_LIMITED_KEY, "false");
    assertThat(DataNodesCheck.diskLimit(yarn)).isEqualTo(100);
    yarn.set(Settings.DISK_LIMITED_KEY, "true");
    yarn.set(Settings.DISK_CHECK_KEY, "false");
    assertThat(DataNodesCheck.diskLimit(yarn)).isEqualTo(100);
  }

  @Test
  void blocksStayIfDataNodesAndClientsPinThem() {
    Map<String, String> on = Map.of(Settings.PINNING_KEY, "true");
    assertThat(found(findings -> DataNodesCheck.pinning(List.of(on, on), true, findings)))
        .extracting(Finding::level)
        .containsExactly(Level.FINE);
    assertThat(found(findings -> DataNodesCheck.pinning(List.of(on), false, findings)))
        .singleElement()
        .extracting(Finding::remedy)
        .isEqualTo("hdfs-site.xml of clients: dfs.datanode.block-pinning.enabled = true");
    assertPinningIsOff(List.of());
    assertPinningIsOff(List.of(on, Map.of()));
  }

  private static void assertPinningIsOff(List<Map<String, String>> settings) {
    assertThat(found(findings -> DataNodesCheck.pinning(settings, true, findings)))
        .singleElement()
        .extracting(Finding::text)
        .isEqualTo(Settings.PINNING_KEY + " is off: the Balancer may move hinted blocks away");
  }

  @Test
  void serviceWithoutZooKeeperOrLeaderIsAFault() {
    ServiceStatus.Store away = new ServiceStatus.Store(false, Duration.ofSeconds(9), 4, 1, 2);
    assertThat(
            found(
                findings ->
                    ServiceCheck.status(
                        new ServiceStatus("running", false, null, away, List.of(), List.of()),
                        findings)))
        .extracting(Finding::level)
        .containsExactly(Level.WRONG, Level.WRONG);
    ServiceStatus.Store store = new ServiceStatus.Store(true, Duration.ZERO, 4, 1, 2);
    assertThat(
            found(
                findings ->
                    ServiceCheck.status(
                        new ServiceStatus(
                            "running", true, "me", store, List.of(), List.of("2 sets do not fit")),
                        findings)))
        .extracting(Finding::level)
        .containsExactly(Level.FINE, Level.NOTE);
    assertThat(
            found(
                findings ->
                    ServiceCheck.status(
                        new ServiceStatus(
                            "running",
                            true,
                            "me",
                            store,
                            List.of(
                                new ServiceStatus.IgnoredHint("/p", "did you mean 'pipeline'?")),
                            List.of()),
                        findings)))
        .last()
        .isEqualTo(
            new Finding(
                Level.WRONG,
                "attribute of /p",
                "it is not followed: did you mean 'pipeline'?",
                "hdfs dfs -setfattr -n user.weir.hint -v HINT /p",
                Step.OTHER,
                null));
  }

  @Test
  void oneNameNodeMustApplyHints() {
    WatcherList.Watcher service = new WatcherList.Watcher("service", "s", "1", 4, false, null);
    assertThat(
            found(
                findings -> ServiceCheck.watchers(new WatcherList(4, List.of(service)), findings)))
        .extracting(Finding::level)
        .containsExactly(Level.WRONG);
    WatcherList.Watcher behind = new WatcherList.Watcher("namenode", "nn1", "1", 3, true, true);
    WatcherList.Watcher level = new WatcherList.Watcher("namenode", "nn2", "1", 4, false, false);
    assertThat(
            found(
                findings ->
                    ServiceCheck.watchers(
                        new WatcherList(4, List.of(service, behind, level)), findings)))
        .extracting(Finding::level)
        .containsExactly(Level.NOTE, Level.FINE);
  }
}
