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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An ordinary user on a cluster with Kerberos, privacy of calls and data transfers, and web servers
 * with TLS only.
 */
@Tag("nightly")
class KerberosIT {
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  private static final String USER = KerberosConfig.ORDINARY_USER;

  private static LocalCluster cluster;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        LocalCluster.start(
            ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
                .nodes(2)
                .hosts(ClusterExtension.hosts())
                .secure(true)
                .build(),
            step -> System.out.println("secure: " + step));
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  private String workflow() throws Exception {
    Path file = folder.resolve("lines.makeflow");
    Files.writeString(
        file,
        """
        sorted.txt: a.txt b.txt
        \tcat a.txt b.txt | sort > sorted.txt

        count.txt: sorted.txt
        \twc -l < sorted.txt > count.txt
        """);
    Path inputs = Files.createDirectories(folder.resolve("inputs"));
    Files.writeString(inputs.resolve("a.txt"), "two\n");
    Files.writeString(inputs.resolve("b.txt"), "one\n");
    return file.toString();
  }

  private Shell.Ran weir(boolean ticket, String... arguments) throws Exception {
    Map<String, String> environment = new HashMap<>(cluster.clientEnvironment(USER));
    environment.put("HADOOP_CONF_DIR", cluster.confDir().toString());
    if (!ticket) {
      environment.put("KRB5CCNAME", folder.resolve("none").toString());
    }
    List<String> command = new ArrayList<>(List.of(Distribution.built().weir().toString()));
    command.addAll(List.of(arguments));
    return Shell.run(command, environment, folder);
  }

  private static String log(String daemon) throws IOException {
    return Files.readString(cluster.log(daemon));
  }

  private Shell.Ran run(boolean ticket) throws Exception {
    return weir(
        ticket,
        "run",
        workflow(),
        "--upload",
        folder.resolve("inputs").toString(),
        "--out",
        folder.resolve("out").toString());
  }

  @Test
  void aRunHasTokensHintsAndProvenance() throws Exception {
    Shell.Ran ran = run(true);

    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(ran.err()).contains("SUCCEEDED").doesNotContain("note:");
    List<String> audit = log("namenode").lines().filter(line -> line.contains(" audit: ")).toList();
    assertThat(audit)
        .filteredOn(line -> line.contains("cmd=create") && line.contains(".status.json"))
        .as("calls of the ApplicationMaster")
        .isNotEmpty()
        .allMatch(line -> line.contains("(auth:TOKEN)"));
    assertThat(audit)
        .filteredOn(line -> line.contains("cmd=create") && line.contains("sorted.txt"))
        .as("calls of workers")
        .isNotEmpty()
        .allMatch(line -> line.contains("(auth:TOKEN)"));
    assertThat(audit)
        .as("calls of YARN")
        .anyMatch(line -> line.contains("cmd=renewDelegationToken"));
    await("cancellation of the token by YARN")
        .atMost(DEADLINE)
        .until(() -> log("namenode").contains("cmd=cancelDelegationToken"));
    await()
        .atMost(DEADLINE)
        .untilAsserted(
            () ->
                assertThat(weir(true, "provenance", "weir/lines/count.txt").out())
                    .contains("wc -l", "succeeded"));
  }

  @Test
  void hintsAreInForceForWritablePathsOnly() throws Exception {
    Shell.Ran set = weir(true, "hints", "set", "/user/alice/hinted/", "pipeline", "--await");
    assertThat(set.code()).as(set.toString()).isZero();
    assertThat(weir(true, "hints", "get", "/user/alice/hinted/a").out()).contains("pipeline");

    Shell.Ran other = weir(true, "hints", "set", "/user/weir/", "pipeline");
    assertThat(other.code()).as("not writable: %s", other).isNotZero();
  }

  @Test
  void doctorFindsNoFault() throws Exception {
    Shell.Ran ran = weir(true, "doctor");

    assertThat(ran.out()).as(ran.toString()).doesNotContain("\tat ");
    assertThat(ran.code()).as(ran.toString()).isZero();
  }

  @Test
  void withoutATicketTheErrorNamesTheRemedy() throws Exception {
    Shell.Ran ran = run(false);

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("has no ticket that is valid: run kinit").doesNotContain("\tat");
  }
}
