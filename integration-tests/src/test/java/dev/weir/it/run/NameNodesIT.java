package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.config.KerberosConfig;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two NameNodes, of which the active one is killed during a run, with and without Kerberos. */
@Tag("nightly")
class NameNodesIT {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRunSurvivesTheEndOfTheActiveNameNode(boolean secure) throws Exception {
    try (LocalCluster cluster = start(secure)) {
      Map<String, String> environment =
          new HashMap<>(cluster.clientEnvironment(KerberosConfig.ORDINARY_USER));
      environment.put("HADOOP_CONF_DIR", cluster.confDir().toString());
      try (BlockedRun run = new BlockedRun(folder, environment)) {
        run.awaitBegun();

        assertThat(cluster.failover()).as("without a kill").isEqualTo("namenode2");
        cluster.stopDaemon("namenode2");
        assertThat(cluster.failover()).isEqualTo("namenode");
        run.open();

        assertThat(run.end()).as(run.output()).isZero();
      }
    }
  }

  private static LocalCluster start(boolean secure) throws Exception {
    return LocalCluster.start(
        ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
            .nodes(2)
            .hosts(ClusterExtension.hosts())
            .secure(secure)
            .nameNodes(2)
            .startTimeout(Duration.ofMinutes(6))
            .build(),
        step -> System.out.println("name nodes: " + step));
  }
}
