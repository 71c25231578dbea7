package dev.weir.it.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cluster.LocalCluster;
import dev.weir.hints.client.HintsClient;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hint set by an HTTP call, a command or an attribute places the file of an unmodified Hadoop
 * client.
 */
@ExtendWith(ClusterExtension.class)
class AnnotateIT {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final String HINT = "pipeline,temporary";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path folder;
  private LocalCluster cluster;
  private HdfsFiles files;
  private HintsClient service;
  private String directory;

  @BeforeEach
  void open(LocalCluster shared) throws Exception {
    cluster = shared;
    files = new HdfsFiles(shared);
    service = HintsClient.open(shared.configuration());
    directory = "/annotate-" + System.nanoTime();
    files.fs().mkdirs(new org.apache.hadoop.fs.Path(directory));
  }

  @AfterEach
  void close() throws Exception {
    service.removeHint(directory);
    service.close();
    files.fs().delete(new org.apache.hadoop.fs.Path(directory), true);
    files.fs().close();
  }

  @Test
  void anAttributeSetsAHint() throws Exception {
    files.shell("n1", List.of("-setfattr", "-n", "user.weir.hint", "-v", HINT, directory));

    await()
        .atMost(DEADLINE)
        .untilAsserted(() -> assertThat(service.hint(directory + "/any")).isPresent());
    awaitNameNode();
    files.awaitRule(directory + "/any");
    assertFileStaysWithItsWriter("n2");
  }

  @Test
  void anHttpCallSetsAHint() throws Exception {
    JsonNode answer =
        MAPPER.readTree(
            run(
                0,
                "curl",
                "--silent",
                "--show-error",
                "--fail-with-body",
                "-X",
                "PUT",
                "-H",
                "Content-Type: text/plain",
                "-d",
                HINT,
                cluster.hintServices().get(0)
                    + "/v1/hints?path="
                    + directory
                    + "&await=applied&timeout=30s&user.name="
                    + System.getProperty("user.name")));

    assertThat(answer.path("applied").asBoolean()).as(answer.toString()).isTrue();
    assertFileStaysWithItsWriter("n3");
  }

  @Test
  void aCommandSetsAHintAndOthersReportTheFile() throws Exception {
    weir("hints", "set", directory, HINT, "--await");

    assertThat(weir("hints", "get", directory + "/any")).contains("pipeline");
    assertFileStaysWithItsWriter("n4");
    String file = directory + "/file-n4";
    assertThat(weir("locate", file).lines()).last().asString().contains(file, "300.0 kB", "n4");
    JsonNode located = MAPPER.readTree(weir("locate", file, "--json")).path("files").path(0);
    assertThat(located.path("bytes").asInt()).isEqualTo(300_000);
    assertThat(located.path("nodes").findValuesAsText("host")).containsExactly("n4");
    assertThat(service.rank(List.of(directory), 1).nodes().get(0).host()).isEqualTo("n4");
    assertThat(weir("explain", file))
        .contains("  rule     " + directory + "/** is pipeline,temporary", "n4")
        .doesNotContain("differs");
    JsonNode explained = MAPPER.readTree(weir("explain", file, "--json"));
    assertThat(explained.path("wanted").path("replicas").asInt()).isEqualTo(1);
    assertThat(explained.path("actual").path("replication").asInt()).isEqualTo(1);
    assertThat(explained.path("actual").path("blocks").path(0).path("nodes").path(0).asText())
        .isEqualTo("n4");
    assertThat(explained.path("differences")).isEmpty();
  }

  private void assertFileStaysWithItsWriter(String node) throws Exception {
    Path local = Files.write(folder.resolve("file-" + node), new byte[300_000]);
    files.put(node, local, directory);
    String file = directory + "/file-" + node;

    assertThat(files.hosts(file)).containsExactly(node);
    assertThat(files.replication(file)).isEqualTo(1);
  }

  /** Waits until a NameNode has applied the latest hints. */
  private void awaitNameNode() {
    await()
        .atMost(DEADLINE)
        .until(
            () ->
                service.watchers().watchers().stream()
                    .anyMatch(watcher -> watcher.role().equals("namenode") && !watcher.behind()));
  }

  private String weir(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(Distribution.built().weir().toString()));
    command.addAll(List.of(words));
    return run(0, command.toArray(String[]::new));
  }

  private String run(int exitCode, String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("HADOOP_CONF_DIR", cluster.confDir().toString());
    Process process = builder.redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isEqualTo(exitCode);
    return out;
  }
}
