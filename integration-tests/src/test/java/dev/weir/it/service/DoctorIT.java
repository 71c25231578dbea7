package dev.weir.it.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cluster.LocalCluster;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.SetQuery;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code weir doctor} with probes. */
@ExtendWith(ClusterExtension.class)
class DoctorIT {
  @Test
  void findsNoProblemsInACompleteCluster(LocalCluster cluster) throws Exception {
    Process process =
        new ProcessBuilder(
                Distribution.built().weir().toString(),
                "doctor",
                "--json",
                "--probes-in",
                "/",
                "--cluster",
                cluster.confDir().getParent().toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(out).isZero();
    List<String> levels = new ArrayList<>();
    List<String> subjects = new ArrayList<>();
    for (JsonNode finding : new ObjectMapper().readTree(out).path("findings")) {
      levels.add(finding.path("level").asText());
      subjects.add(finding.path("subject").asText());
    }
    assertThat(levels).as(out).doesNotContain("wrong", "unknown");
    assertThat(subjects)
        .contains("ResourceManager", "DataNodes", "hints service", "setfattr")
        .contains("probe pipeline", "probe broadcast", "probe reduce", "probe scatter");
    assertNoLeftovers(cluster);
  }

  private static void assertNoLeftovers(LocalCluster cluster) throws Exception {
    try (FileSystem fileSystem = FileSystem.newInstance(cluster.configuration());
        HintsClient service = HintsClient.open(cluster.configuration())) {
      assertThat(fileSystem.listStatus(new Path("/")))
          .extracting(FileStatus::getPath)
          .extracting(Path::getName)
          .noneMatch(name -> name.startsWith("weir-doctor"));
      assertThat(service.sets(new SetQuery(null, "weir-doctor", null, 0)).sets()).isEmpty();
    }
  }
}
