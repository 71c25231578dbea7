package dev.weir.it.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.experiment.ClusterQuiescence;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.HadoopRelease;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import dev.weir.it.yarn.TestApplication;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Weir does on the daemons of one release of Hadoop on one Java. The property {@code
 * weir.java11} names the home of a Java 11 runtime; without it the tests on Java 11 are skipped.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HadoopVersionContract {
  private static final List<String> NODES = List.of("n1", "n2", "n3");

  private final String version;
  private final boolean onJava11;
  @TempDir private Path folder;
  private LocalCluster cluster;
  private HdfsFiles files;

  HadoopVersionContract(String version, boolean onJava11) {
    this.version = version;
    this.onJava11 = onJava11;
  }

  @BeforeAll
  void start() throws Exception {
    @Nullable String java11 = System.getProperty("weir.java11");
    assumeTrue(!onJava11 || java11 != null, "needs -Dweir.java11=DIR, a Java 11 runtime");
    HadoopJars jars =
        HadoopJars.ofDistribution(Distribution.built().home())
            .withDaemons(HadoopRelease.of(version).directory());
    if (onJava11 && java11 != null) {
      jars = jars.withJava(Path.of(java11));
    }
    cluster =
        LocalCluster.start(
            ClusterSpec.builder(jars).nodes(NODES.size()).build(),
            step -> System.out.println("Hadoop " + version + ": " + step));
    files = new HdfsFiles(cluster);
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      files.fs().close();
      cluster.close();
    }
  }

  /** The probes write a file with each preset of hints, and set a path attribute. */
  @Test
  void doctorFindsNoProblems() throws Exception {
    Path out = folder.resolve("doctor.json");

    int code = weir(out, "doctor", "--json", "--probes-in", "/");

    String text = Files.readString(out);
    assertThat(code).as(text).isZero();
    List<String> fine = new ArrayList<>();
    for (JsonNode finding : new ObjectMapper().readTree(text).path("findings")) {
      String level = finding.path("level").asText();
      assertThat(level).as(text).isNotIn("wrong", "unknown");
      if (level.equals("fine")) {
        fine.add(finding.path("subject").asText());
      }
    }
    assertThat(fine)
        .contains("probe pipeline", "probe broadcast", "probe reduce", "probe scatter", "setfattr");
  }

  @Test
  void containersAreAllocatedOnTheNodesOfTheirFiles() throws Exception {
    for (String node : NODES) {
      files.putOn(node, "/asks/on-" + node, 2_000_000);
    }
    // Containers of another test's run may still end.
    try (ClusterQuiescence quiescence = new ClusterQuiescence(cluster)) {
      quiescence.await();
    }
    try (TestApplication application = TestApplication.start(cluster.configuration())) {
      for (String node : NODES) {
        assertThat(application.askNear("weir:/asks/on-" + node).getNodeId().getHost())
            .isEqualTo(node);
      }
    }
  }

  /** Clients of that release, with the file system of the plugins, follow path attributes. */
  @Test
  void clientsFollowAttributes() throws Exception {
    files.fs().mkdirs(new org.apache.hadoop.fs.Path("/attributes"));
    files.shell(
        "n2",
        List.of("-setfattr", "-n", "user.weir.hint", "-v", "pipeline,temporary", "/attributes"));
    Path local = Files.write(folder.resolve("temporary"), new byte[1_000_000]);

    files.awaitRule("/attributes/temporary");
    files.put("n2", local, "/attributes");

    assertThat(files.hosts("/attributes/temporary")).containsExactly("n2");
  }

  @Test
  void runsAWorkflow() throws Exception {
    Path texts = Files.createDirectory(folder.resolve("texts"));
    Files.writeString(texts.resolve("a.txt"), "one two three\n");
    Path workflow = folder.resolve("counts.mf");
    Files.writeString(
        workflow,
        """
        a.count: a.txt
        \twc -w < a.txt > a.count

        counts.txt: a.count
        \tcat a.count a.count > counts.txt
        """);
    Path out = folder.resolve("run.txt");
    List<String> command = new ArrayList<>(List.of("run", workflow.toString(), "--workers", "2"));
    command.addAll(List.of("--data", "/counts", "--upload", texts.toString()));
    command.addAll(List.of("--out", folder.resolve("run").toString()));

    int code = weir(out, command.toArray(String[]::new));

    assertThat(code).as(Files.readString(out)).isZero();
    try (InputStream in = files.fs().open(new org.apache.hadoop.fs.Path("/counts/counts.txt"))) {
      assertThat(in).hasContent("3\n3\n");
    }
  }

  private static int execute(Path out, List<String> command) throws Exception {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(out.toFile())
        .start()
        .waitFor();
  }

  private int weir(Path out, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(Distribution.built().weir().toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--cluster", cluster.dir().toString()));
    return execute(out, command);
  }
}
