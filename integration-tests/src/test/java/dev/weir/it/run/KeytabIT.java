package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.config.KerberosConfig;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that is longer than the lifetime of HDFS's and the KMS's tokens. */
@Tag("nightly")
class KeytabIT {
  private static final Duration DEADLINE = Duration.ofMinutes(6);

  /** Their terms are 45 s long, so that the first tokens have ended. */
  private static final int RENEWALS = 5;

  private static final String USER = KerberosConfig.ORDINARY_USER;

  @TempDir private Path folder;

  @Test
  void newTokensReplaceTheOldOnes() throws Exception {
    try (LocalCluster cluster = start()) {
      Map<String, String> environment = new HashMap<>(cluster.clientEnvironment(USER));
      environment.put("HADOOP_CONF_DIR", cluster.confDir().toString());
      environment.put("KRB5CCNAME", folder.resolve("none").toString());
      try (BlockedRun run =
          new BlockedRun(
              folder,
              environment,
              "--data",
              "/encrypted/waits",
              "--keytab",
              cluster.keytab(USER).toString(),
              "--principal",
              KerberosConfig.principal(USER))) {
        run.awaitBegun();
        assertThat(localised(cluster))
            .as(run.output())
            .isNotEmpty()
            .allMatch(keytab -> permissions(keytab).endsWith("------"));
        await().atMost(DEADLINE).until(() -> renewals(cluster) >= RENEWALS || !run.isAlive());
        run.open();

        assertThat(run.end()).as(run.output()).isZero();
      }
      assertThat(Files.readString(cluster.log("namenode")))
          .contains("cmd=create", "src=/encrypted/waits/b.out")
          .contains("cmd=delete", "/user.keytab");
    }
  }

  private static LocalCluster start() throws IOException {
    return LocalCluster.start(
        ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
            .nodes(1)
            .hosts(ClusterExtension.hosts())
            .secure(true)
            .startTimeout(Duration.ofMinutes(6))
            .configuration("dfs.namenode.delegation.token.renew-interval", "60000")
            .configuration("dfs.namenode.delegation.token.max-lifetime", "90000")
            .configuration("hadoop.kms.authentication.delegation-token.renew-interval.sec", "60")
            .configuration("hadoop.kms.authentication.delegation-token.max-lifetime.sec", "90")
            .build(),
        step -> System.out.println("keytab: " + step));
  }

  /** The renewals of the ApplicationMaster. Others are by YARN. */
  private static long renewals(LocalCluster cluster) throws IOException {
    return Files.readString(cluster.log("namenode"))
        .lines()
        .filter(line -> line.contains("cmd=renewDelegationToken") && line.contains("ugi=" + USER))
        .count();
  }

  private static List<Path> localised(LocalCluster cluster) throws IOException {
    try (Stream<Path> files = Files.walk(cluster.dir().resolve("nodes/n1/local"))) {
      return files
          .filter(file -> file.endsWith("user.keytab") && Files.isRegularFile(file))
          .toList();
    }
  }

  private static String permissions(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
