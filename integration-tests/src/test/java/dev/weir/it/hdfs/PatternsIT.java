package dev.weir.it.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.cluster.plan.NodeInfo;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.store.HintStore;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Placement of each pattern on eight nodes of two racks with slow links. {@code hadoop fs} writes
 * the files.
 */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PatternsIT {
  private static final int NODES = 8;
  private static final int MEBIBYTE = 1 << 20;
  private static final String SET = "patterns-it";
  private static final Duration DEADLINE = Duration.ofSeconds(90);
  private static final Pattern ALLOCATED =
      Pattern.compile("allocate \\S+, replicas=(.*) for (\\S+)");

  @TempDir private Path folder;
  private LocalCluster cluster;
  private HdfsFiles files;
  private HintStore store;
  private int directories;

  @BeforeAll
  void start() throws Exception {
    assumeThat(System.getProperty("user.name")).as("links need root").isEqualTo("root");
    ClusterSpec spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
            .nodes(NODES)
            .racks(2)
            .link(LinkRate.parse("200mbit"))
            .build();
    cluster = LocalCluster.start(spec, step -> System.out.println("eight nodes: " + step));
    files = new HdfsFiles(cluster);
    store = HdfsFiles.openHints(cluster);
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      store.close();
      files.fs().close();
      cluster.close();
    }
  }

  @AfterEach
  void removeHints() throws Exception {
    store.remove(SET);
  }

  @Test
  void aPipelinesFilesStayWithTheirWriters() throws Exception {
    String directory = hint("pipeline,temporary");

    for (String node : List.of("n1", "n4", "n8")) {
      files.put(node, local(node, 1), directory);
      assertThat(files.hosts(directory + "/" + node)).containsExactly(node);
    }
  }

  @Test
  void aResultIsReplicatedToBothRacks() throws Exception {
    String directory = hint("pipeline");

    files.put("n5", local("result", 1), directory);

    awaitHosts(directory + "/result", 3);
    assertThat(files.hosts(directory + "/result")).contains("n5");
    assertThat(racks(files.hosts(directory + "/result"))).hasSize(2);
  }

  @Test
  void aBroadcastReachesAllNodesAndCrossesRacksOnce() throws Exception {
    String directory = hint("broadcast=8");

    files.put("n3", local("calibration", 2), directory);

    awaitHosts(directory + "/calibration", NODES);
    List<String> pipeline = pipeline(directory + "/calibration");
    assertThat(pipeline).hasSize(NODES).startsWith("n3");
    assertThat(crossings(pipeline)).as(pipeline.toString()).isEqualTo(1);
  }

  @Test
  void anEagerGroupIsOnTheSameTwoNodesOfTwoRacks() throws Exception {
    String directory = hint("collocate=g,replicas=2");

    for (String node : List.of("n1", "n2", "n6")) {
      files.put(node, local(node, 1), directory);
      awaitHosts(directory + "/" + node, 2);
    }

    List<String> anchors = files.hosts(directory + "/n1");
    assertThat(racks(anchors)).hasSize(2);
    assertThat(files.hosts(directory + "/n2")).isEqualTo(anchors);
    assertThat(files.hosts(directory + "/n6")).isEqualTo(anchors);
  }

  @Test
  void aLazyGroupStaysWithItsWritersAndIsCopiedToOneNode() throws Exception {
    String directory = hint("reduce=m");
    List<String> writers = List.of("n1", "n2", "n3", "n7");

    for (String node : writers) {
      files.put(node, local(node, 1), directory);
    }

    for (String node : writers) {
      assertThat(files.hosts(directory + "/" + node)).contains(node);
    }
    await()
        .atMost(DEADLINE)
        .untilAsserted(() -> assertThat(common(directory, writers)).isNotEmpty());
  }

  @Test
  void aGroupSpreadOverTwoAnchorsUsesBoth() throws Exception {
    String directory = hint("collocate=big,spread=2,replicas=1");
    Set<String> anchors = new TreeSet<>();

    for (int i = 0; i < 12; i++) {
      files.put("n1", local("part-" + i, 1), directory);
      anchors.addAll(files.hosts(directory + "/part-" + i));
    }

    assertThat(anchors).hasSize(2);
  }

  @Test
  void regionsAreDistributedRoundRobin() throws Exception {
    String directory = hint("region=2m,block=1m,replicas=1");

    files.put("n1", local("grid", 32), directory);

    List<String> blocks = hostsOfBlocks(directory + "/grid");
    assertThat(blocks).hasSize(32);
    Map<String, Integer> regions = new TreeMap<>();
    for (int i = 0; i < blocks.size(); i += 2) {
      assertThat(blocks.get(i + 1)).as("second block of region " + i / 2).isEqualTo(blocks.get(i));
      regions.merge(blocks.get(i), 1, Integer::sum);
    }
    for (int i = 2; i < blocks.size(); i += 2) {
      assertThat(blocks.get(i)).as("region " + i / 2).isNotEqualTo(blocks.get(i - 2));
    }
    assertThat(regions).hasSize(NODES);
    assertThat(regions.values()).as(regions.toString()).containsOnly(2);
  }

  @Test
  void namedNodesAreUsedInOrder() throws Exception {
    // On two racks, because HDFS lets no rack have all replicas, regardless of hints.
    String directory = hint("nodes=n6+n5,replicas=2");

    files.put("n1", local("pinned", 1), directory);

    awaitHosts(directory + "/pinned", 2);
    assertThat(pipeline(directory + "/pinned")).containsExactly("n6", "n5");
  }

  private String hint(String hint) throws Exception {
    String directory = "/patterns-" + ++directories;
    Rule rule = new Rule(PathPattern.parse(directory + "/*"), HintText.parse(hint));
    files.hint(store, new HintSet(SET, "it", null, List.of(rule)));
    return directory;
  }

  private void awaitHosts(String file, int hosts) {
    await().atMost(DEADLINE).untilAsserted(() -> assertThat(files.hosts(file)).hasSize(hosts));
  }

  private Set<String> common(String directory, List<String> names) throws Exception {
    Set<String> common = new HashSet<>(files.hosts(directory + "/" + names.get(0)));
    for (String name : names) {
      common.retainAll(files.hosts(directory + "/" + name));
    }
    return common;
  }

  /** The nodes of the write pipeline, in the order that the NameNode logged. */
  private List<String> pipeline(String file) throws Exception {
    Map<String, String> names =
        cluster.nodes().stream().collect(Collectors.toMap(NodeInfo::address, NodeInfo::name));
    for (String line : Files.readAllLines(cluster.log("namenode"))) {
      Matcher allocated = ALLOCATED.matcher(line);
      if (allocated.find() && allocated.group(2).startsWith(file)) {
        List<String> pipeline = new ArrayList<>();
        for (String target : allocated.group(1).split(", ", -1)) {
          pipeline.add(String.valueOf(names.get(target.substring(0, target.indexOf(':')))));
        }
        return pipeline;
      }
    }
    throw new AssertionError("no block of " + file + " in the NameNode's log");
  }

  private int crossings(List<String> pipeline) {
    int crossings = 0;
    for (int i = 1; i < pipeline.size(); i++) {
      crossings += racks(pipeline.subList(i - 1, i + 1)).size() - 1;
    }
    return crossings;
  }

  private Set<String> racks(List<String> hosts) {
    return cluster.nodes().stream()
        .filter(node -> hosts.contains(node.name()))
        .map(NodeInfo::rack)
        .collect(Collectors.toSet());
  }

  private List<String> hostsOfBlocks(String file) throws Exception {
    return files.hostsOfBlocks(file).stream().flatMap(List::stream).toList();
  }

  private Path local(String name, int mebibytes) throws Exception {
    return Files.write(folder.resolve(name), new byte[mebibytes * MEBIBYTE]);
  }
}
