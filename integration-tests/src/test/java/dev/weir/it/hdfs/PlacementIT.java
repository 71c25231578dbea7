package dev.weir.it.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cluster.LocalCluster;
import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.Lifetime;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import dev.weir.hints.Rule;
import dev.weir.hints.store.HintStore;
import dev.weir.it.ClusterExtension;
import dev.weir.it.HdfsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Placement of files that an unmodified Hadoop client writes to hinted paths. */
@ExtendWith(ClusterExtension.class)
class PlacementIT {
  private static final String DIRECTORY = "/placement";
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  @TempDir private Path folder;
  private LocalCluster cluster;
  private HdfsFiles files;
  private HintStore store;

  @BeforeEach
  void open(LocalCluster shared) throws Exception {
    cluster = shared;
    files = new HdfsFiles(shared);
    store = HdfsFiles.openHints(shared);
    // The policy may load hints only at the first new block.
    try (var out = files.fs().create(new org.apache.hadoop.fs.Path(DIRECTORY, "first"))) {
      out.write(1);
    }
  }

  @AfterEach
  void close() throws Exception {
    store.remove("placement-it");
    store.close();
    files.fs().delete(new org.apache.hadoop.fs.Path(DIRECTORY), true);
    files.fs().close();
  }

  @Test
  void theNameNodePublishesThePolicysMetrics() throws Exception {
    JsonNode beans = cluster.jmx("namenode", "Hadoop:service=NameNode,name=WeirPlacement*");

    assertThat(beans).as("beans of the policy").isNotEmpty();
  }

  @Test
  void aFileWithoutAHintIsStock() throws Exception {
    files.put("n2", local("unhinted"), DIRECTORY);

    assertThat(files.replication(DIRECTORY + "/unhinted")).isEqualTo(3);
    awaitHosts("unhinted", 3);
    assertThat(files.hosts(DIRECTORY + "/unhinted")).contains("n2");
  }

  @Test
  void aTemporaryFileOfAPipelineStaysWithItsWriter() throws Exception {
    hint("stage-*", HintPresets.pipeline().toBuilder().lifetime(Lifetime.scratch()).build());

    for (String node : List.of("n1", "n4")) {
      files.put(node, local("stage-" + node), DIRECTORY);
      assertThat(files.hosts(DIRECTORY + "/stage-" + node)).containsExactly(node);
      assertThat(files.replication(DIRECTORY + "/stage-" + node)).isEqualTo(1);
    }
    // A NameNode updates its published counters every 10 seconds.
    await().atMost(DEADLINE).until(this::honoured, number -> number > 0);
  }

  /** The number of placements that honoured their hints. */
  private long honoured() throws Exception {
    long sum = 0;
    for (JsonNode bean : cluster.jmx("namenode", "Hadoop:service=NameNode,name=WeirPlacement*")) {
      for (var fields = bean.fields(); fields.hasNext(); ) {
        var field = fields.next();
        sum += field.getKey().contains("Honoured") ? field.getValue().asLong() : 0;
      }
    }
    return sum;
  }

  @Test
  void aResultOfAPipelineStartsWithItsWriterAndIsReplicated() throws Exception {
    hint("result", HintPresets.pipeline());

    files.put("n3", local("result"), DIRECTORY);

    awaitHosts("result", 3);
    assertThat(files.hosts(DIRECTORY + "/result")).contains("n3");
  }

  @Test
  void anEagerGroupIsOnOneNodeForAllWriters() throws Exception {
    hint(
        "part-*",
        Hint.builder()
            .placement(new Placement.Collocate("gathered"))
            .replication(Replication.eager(1))
            .lifetime(Lifetime.scratch())
            .build());

    for (String node : List.of("n1", "n4")) {
      files.put(node, local("part-" + node), DIRECTORY);
    }

    List<String> anchor = files.hosts(DIRECTORY + "/part-n1");
    assertThat(anchor).hasSize(1);
    assertThat(files.hosts(DIRECTORY + "/part-n4")).isEqualTo(anchor);
  }

  @Test
  void aBroadcastFileHasItsReplicasAfterTheWrite() throws Exception {
    hint("calibration", HintPresets.broadcast(4));

    files.put("n2", local("calibration"), DIRECTORY);

    assertThat(files.replication(DIRECTORY + "/calibration")).isEqualTo(4);
    awaitHosts("calibration", 4);
  }

  private void hint(String name, Hint hint) throws Exception {
    Rule rule = new Rule(PathPattern.parse(DIRECTORY + "/" + name), hint);
    files.hint(store, new HintSet("placement-it", "it", null, List.of(rule)));
  }

  private void awaitHosts(String name, int hosts) {
    await()
        .atMost(DEADLINE)
        .untilAsserted(() -> assertThat(files.hosts(DIRECTORY + "/" + name)).hasSize(hosts));
  }

  private Path local(String name) throws Exception {
    return Files.write(folder.resolve(name), new byte[300_000]);
  }
}
