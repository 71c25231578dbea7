package dev.weir.it.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cluster.LocalCluster;
import dev.weir.it.ClusterExtension;
import dev.weir.it.HdfsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own ApplicationMaster client names a file and gets a container on its node. */
@ExtendWith(ClusterExtension.class)
class FileAskIT {
  private static final String DIRECTORY = "/file-ask";
  private static final List<String> NODES = List.of("n1", "n2", "n3", "n4");

  @TempDir private Path folder;
  private LocalCluster cluster;
  private HdfsFiles files;
  private @Nullable TestApplication application;

  @BeforeEach
  void open(LocalCluster shared) throws Exception {
    cluster = shared;
    files = new HdfsFiles(shared);
  }

  @AfterEach
  void close() throws Exception {
    if (application != null) {
      application.close();
    }
    files.fs().delete(new org.apache.hadoop.fs.Path(DIRECTORY), true);
    files.fs().close();
  }

  @Test
  void aContainerIsAllocatedOnTheNodeOfItsFile() throws Exception {
    for (String node : NODES) {
      putOnce(node, "on-" + node, 2_000_000);
    }

    for (String node : NODES) {
      assertThat(application().askNear("weir:" + DIRECTORY + "/on-" + node).getNodeId().getHost())
          .isEqualTo(node);
    }
  }

  @Test
  void theNodeWithMostBytesOfSeveralFilesIsChosen() throws Exception {
    putOnce("n1", "small", 1_000);
    putOnce("n4", "large", 3_000_000);

    String both = "weir:" + DIRECTORY + "/small," + DIRECTORY + "/large";

    assertThat(application().askNear(both).getNodeId().getHost()).isEqualTo("n4");
  }

  @Test
  void aMissingFileDoesNotPreventAllocation() throws Exception {
    assertThat(application().askNear("weir:/no/such/file").getNodeId().getHost()).isIn(NODES);
  }

  @Test
  void anOrdinaryAskIsServed() throws Exception {
    assertThat(application().askOn("n2").getNodeId().getHost()).isIn(NODES);
  }

  @Test
  void theResourceManagerPublishesThePluginsMetrics() throws Exception {
    JsonNode beans = cluster.jmx("resourcemanager", "Hadoop:service=ResourceManager,name=Weir*");

    assertThat(beans).as("beans of the plugin").isNotEmpty();
  }

  /** Started after its files are written, because YARN expires a silent ApplicationMaster. */
  private TestApplication application() throws Exception {
    if (application == null) {
      application = TestApplication.start(cluster.configuration());
    }
    return application;
  }

  private void putOnce(String node, String name, int bytes) throws Exception {
    Path local = Files.write(folder.resolve(name), new byte[bytes]);
    files.fs().mkdirs(new org.apache.hadoop.fs.Path(DIRECTORY));
    files.shell(node, List.of("-D", "dfs.replication=1", "-put", local.toString(), DIRECTORY));
    assertThat(files.hosts(DIRECTORY + "/" + name)).containsExactly(node);
  }
}
