package dev.weir.it.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The hints service as two processes: {@code weir server} of an ordinary user answers callers, and
 * the cluster's own instance, of a superuser, is the reconciler.
 */
@Tag("nightly")
class ServiceRolesIT {
  private static final Duration DEADLINE = Duration.ofSeconds(90);
  private static final int NOT_FOUND = 3;
  private static final String RECONCILER = "hints";
  private static final String SERVICE_USER = "hintsvc";
  private static final String CALLER = "alice";

  @TempDir private static Path folder;

  private static LocalCluster cluster;
  private static Process requests;
  private static String url;

  @BeforeAll
  static void start() throws Exception {
    ClusterSpec spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
            .nodes(1)
            .hosts(ClusterExtension.hosts())
            .configuration("weir.server.role", "reconciler")
            .configuration("hadoop.proxyuser." + SERVICE_USER + ".hosts", "*")
            .configuration("hadoop.proxyuser." + SERVICE_USER + ".users", CALLER)
            .build();
    cluster = LocalCluster.start(spec, step -> System.out.println("roles: " + step));
    Path output = folder.resolve("requests.txt");
    ProcessBuilder server =
        cluster
            .command(
                cluster.master().name(),
                List.of(
                    Distribution.built().weir().toString(),
                    "server",
                    "--port",
                    "0",
                    "-D",
                    "weir.server.role=requests"))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    cluster.runAs(SERVICE_USER, server.environment());
    requests = server.start();
    String announced = "The hints service is at ";
    await()
        .atMost(DEADLINE)
        .until(() -> !requests.isAlive() || Files.readString(output).contains(announced));
    String text = Files.readString(output);
    assertThat(text).contains(announced);
    url =
        text.substring(text.indexOf(announced) + announced.length())
            .lines()
            .findFirst()
            .orElseThrow();
  }

  @AfterAll
  static void stop() throws Exception {
    if (requests != null) {
      requests.destroy();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void callersAreAnsweredWithoutASuperuser() throws Exception {
    assertThat(run(1, hdfs(SERVICE_USER, "-mkdir", "/forbidden"))).contains("Permission denied");

    run(0, weir("hints", "set", "/tmp/asked/", "pipeline", "--await", "--server", url));

    assertThat(get(0, "/tmp/asked/a")).contains("pipeline", "of alice");
  }

  @Test
  void anAttributeIsInForceOnceThereIsAReconciler() throws Exception {
    String directory = "/tmp/attribute";
    cluster.stopDaemon(RECONCILER);
    try {
      run(0, hdfs(CALLER, "-mkdir", directory));
      run(0, hdfs(CALLER, "-setfattr", "-n", "user.weir.hint", "-v", "broadcast=2", directory));

      assertThat(get(NOT_FOUND, directory))
          .contains("the attribute user.weir.hint of " + directory + " is not in force");
    } finally {
      cluster.startDaemon(RECONCILER);
    }
    await()
        .atMost(DEADLINE)
        .untilAsserted(
            () ->
                assertThat(get(0, directory))
                    .contains("broadcast=2", "of alice")
                    .doesNotContain("not in force"));
  }

  private static String get(int code, String path) throws Exception {
    return run(code, weir("hints", "get", path, "--server", url));
  }

  private static List<String> hdfs(String user, String... words) {
    List<String> command = weir("cluster", "hdfs", "--dir", cluster.dir().toString());
    command.addAll(List.of("--user", user, "dfs"));
    command.addAll(List.of(words));
    return command;
  }

  private static List<String> weir(String... words) {
    List<String> command = new ArrayList<>(List.of(Distribution.built().weir().toString()));
    command.addAll(List.of(words));
    return command;
  }

  /** Runs a command as the caller, and returns what it prints. */
  private static String run(int code, List<String> command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HADOOP_CONF_DIR", cluster.confDir().toString());
    builder.environment().put("HADOOP_USER_NAME", CALLER);
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isEqualTo(code);
    return out;
  }
}
