package dev.weir.it.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cluster.LocalCluster;
import dev.weir.it.ClusterExtension;
import dev.weir.it.HdfsFiles;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's own ApplicationMaster client names a file and gets a container on its node. */
@ExtendWith(ClusterExtension.class)
class FileAskIT {
  private static final String DIRECTORY = "/file-ask";
  private static final List<String> NODES = List.of("n1", "n2", "n3", "n4");

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
      files.putOn(node, DIRECTORY + "/on-" + node, 2_000_000);
    }

    for (String node : NODES) {
      assertThat(application().askNear("weir:" + DIRECTORY + "/on-" + node).getNodeId().getHost())
          .isEqualTo(node);
    }
  }

  @Test
  void theNodeWithMostBytesOfSeveralFilesIsChosen() throws Exception {
    files.putOn("n1", DIRECTORY + "/small", 1_000);
    files.putOn("n4", DIRECTORY + "/large", 3_000_000);

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
}
