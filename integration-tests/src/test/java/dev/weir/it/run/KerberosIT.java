package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on a cluster with Kerberos, with and without a ticket. */
@Tag("nightly")
class KerberosIT {
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  @TempDir private static Path directory;
  private static KerberosCluster cluster;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    cluster = KerberosCluster.start(directory);
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

  private Shell.Ran run(boolean ticket) throws Exception {
    return cluster.weir(
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
    List<String> audit =
        cluster.log("namenode").lines().filter(line -> line.contains(" audit: ")).toList();
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
        .until(() -> cluster.log("namenode").contains("cmd=cancelDelegationToken"));
    assertThat(cluster.log("hints")).contains("\"PUT /v1/hint-sets/application_");
    await()
        .atMost(DEADLINE)
        .untilAsserted(
            () ->
                assertThat(cluster.weir(true, "provenance", "weir/lines/count.txt").out())
                    .contains("wc -l", "succeeded"));
  }

  @Test
  void withoutATicketTheErrorNamesTheRemedy() throws Exception {
    Shell.Ran ran = run(false);

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("has no ticket that is valid: run kinit").doesNotContain("\tat");
  }
}
