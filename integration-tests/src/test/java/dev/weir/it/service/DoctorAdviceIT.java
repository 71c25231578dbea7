package dev.weir.it.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.NodeInfo;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import dev.weir.it.yarn.TestApplication;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Resource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The advice of {@code weir doctor} for a stock cluster, followed from top to bottom. HDFS and YARN
 * serve after each step.
 */
@Tag("nightly")
class DoctorAdviceIT {
  private static final Duration DEADLINE = Duration.ofSeconds(90);
  private static final List<String> NODES = List.of("n1", "n2", "n3");
  private static final int MOST_PASSES = 4;

  private static final Pattern STEP = Pattern.compile("\\d+\\. (.+?): (.+)");
  private static final Pattern COPY =
      Pattern.compile(
          "copy plugins/(\\S+)-\\*.jar and plugins/(\\S+)-\\*.jar to share/hadoop/\\w+/lib");
  private static final Pattern SET =
      Pattern.compile("(\\w+-site\\.xml): (\\S+) = ([^\\s,]\\S*[^\\s,])");
  private static final Pattern START = Pattern.compile("--daemon start (\\w+)");
  private static final Pattern WROTE = Pattern.compile("Wrote (\\S+): ");

  @TempDir private Path folder;
  private Path hadoop;
  private LocalCluster cluster;
  private HdfsFiles files;
  private @Nullable Process service;
  private int served;

  @BeforeEach
  void startStockCluster() throws Exception {
    // All of Hadoop's scripts have all of share/hadoop on their class path.
    hadoop = Files.createDirectory(folder.resolve("share-hadoop"));
    for (Path jar : Distribution.built().hadoopJars()) {
      Files.createSymbolicLink(hadoop.resolve(jar.getFileName()), jar.toAbsolutePath());
    }
    HadoopJars stock =
        HadoopJars.stock(Distribution.built().home().resolve("hadoop")).withDaemons(hadoop);
    cluster =
        LocalCluster.start(
            ClusterSpec.builder(stock).nodes(NODES.size()).hosts(ClusterExtension.hosts()).build(),
            step -> System.out.println("advice: " + step));
    files = new HdfsFiles(cluster);
    assertServes("the start");
  }

  @AfterEach
  void stop() throws Exception {
    if (service != null) {
      service.destroy();
    }
    if (files != null) {
      files.fs().close();
    }
    if (cluster != null) {
      cluster.close();
    }
    // JUnit warns of each link that it deletes.
    for (Path jar : Distribution.built().hadoopJars()) {
      Files.deleteIfExists(hadoop.resolve(jar.getFileName()));
    }
  }

  @Test
  void clusterServesAfterEachStepAndFollowsHintsInTheEnd() throws Exception {
    List<String> steps = steps(doctor());
    for (int pass = 1; pass <= MOST_PASSES && !steps.isEmpty(); pass++) {
      for (String remedy : steps) {
        follow(remedy);
        assertServes(remedy);
      }
      if (pass == 1) {
        // The jars of DataNodes show after their next restart.
        restartNodes();
      }
      steps = steps(doctor());
    }

    assertThat(steps).isEmpty();
    assertIsGreen();
  }

  @Test
  void daemonsThatRestartAfterAnyStepServeWithThePatchedCopy() throws Exception {
    for (String remedy : steps(doctor())) {
      if (COPY.matcher(remedy).find()) {
        follow(remedy);
        restartAll();
        assertServes(remedy);
      }
    }
    List<String> hosts = new ArrayList<>(NODES);
    hosts.add(cluster.master().name());
    for (String host : hosts) {
      Path fixed = folder.resolve("fixed-" + host);
      Ran doctor = fix(host, fixed);
      assertThat(WROTE.matcher(doctor.text()).results().map(found -> found.group(1)))
          .as(doctor.text())
          .contains(fixed + "/hdfs-site.xml", fixed + "/yarn-site.xml");
      try (Stream<Path> patched = Files.list(fixed)) {
        for (Path file : patched.toList()) {
          Path installed = cluster.confDir(host).resolve(file.getFileName());
          Files.copy(file, installed, StandardCopyOption.REPLACE_EXISTING);
        }
      }
      restartAll();
      assertServes("installing the patched files of " + host);
    }

    for (String remedy : steps(doctor())) {
      follow(remedy);
      restartAll();
      assertServes(remedy);
    }
    assertIsGreen();
  }

  /** Returns the remedies to follow; those that begin with "if" are choices. */
  private static List<String> steps(Ran doctor) {
    return doctor
        .text()
        .lines()
        .map(STEP::matcher)
        .filter(Matcher::matches)
        .map(step -> step.group(2))
        .filter(remedy -> !remedy.startsWith("if ") || remedy.contains("then restart the"))
        .toList();
  }

  private void follow(String remedy) throws Exception {
    System.out.println("advice: " + remedy);
    Matcher copy = COPY.matcher(remedy);
    Matcher set = SET.matcher(remedy);
    Matcher start = START.matcher(remedy);
    if (copy.find()) {
      copyJar(copy.group(1));
      copyJar(copy.group(2));
    } else if (set.find()) {
      if (remedy.startsWith("start 'weir server'")) {
        startService();
      }
      set(set.group(1), set.group(2), valueHere(set.group(3)));
      if (remedy.contains("then restart the ResourceManager")) {
        restart("resourcemanager");
      }
    } else {
      assertThat(start.find()).as(remedy).isTrue();
      restart(start.group(1));
    }
  }

  private void copyJar(String name) throws IOException {
    for (Path jar : Distribution.built().plugins()) {
      Path copy = hadoop.resolve(jar.getFileName());
      if (jar.getFileName().toString().startsWith(name) && !Files.exists(copy)) {
        Files.copy(jar, copy);
      }
    }
  }

  /** Replaces what only an administrator knows. */
  private String valueHere(String value) {
    String master = cluster.master().address();
    return value
        .replaceAll("HOST:2181(,HOST:2181)*", master + ":2181")
        .replace("HOST:9880", master + ":9880")
        .replace("digest:USER", "digest:weir");
  }

  /** Changes a file on all hosts. */
  private void set(String file, String key, String value) throws IOException {
    List<Path> directories = new ArrayList<>(List.of(cluster.confDir()));
    directories.add(cluster.confDir(cluster.master().name()));
    for (String node : NODES) {
      directories.add(cluster.confDir(node));
    }
    for (Path directory : directories) {
      Path path = directory.resolve(file);
      Configuration conf = new Configuration(false);
      if (Files.exists(path)) {
        conf.addResource(new org.apache.hadoop.fs.Path(path.toUri()));
      }
      conf.set(key, value);
      try (OutputStream out = Files.newOutputStream(path)) {
        conf.writeXml(out);
      }
    }
  }

  private void startService() throws Exception {
    Path credentials = Files.writeString(folder.resolve("zookeeper.auth"), "weir:secret\n");
    Path output = folder.resolve("service.txt");
    service =
        cluster
            .command(
                cluster.master().name(),
                List.of(
                    Distribution.built().weir().toString(),
                    "server",
                    "-D",
                    "weir.zookeeper.auth=@" + credentials,
                    "-D",
                    "weir.server.http-address=" + cluster.master().address() + ":9880",
                    "-D",
                    "weir.server.database.url=jdbc:h2:" + folder.resolve("runs")))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    Process started = service;
    String announced = "The hints service is at ";
    await()
        .atMost(DEADLINE)
        .until(() -> !started.isAlive() || Files.readString(output).contains(announced));
    assertThat(Files.readString(output)).contains(announced);
  }

  private void restart(String daemon) throws IOException {
    cluster.stopDaemon(daemon);
    cluster.startDaemon(daemon);
  }

  private void restartNodes() throws IOException {
    for (NodeInfo node : cluster.nodes()) {
      restart(node.name());
    }
  }

  private void restartAll() throws IOException {
    restart("namenode");
    restart("resourcemanager");
    restartNodes();
  }

  /** Writes and reads a file by a client that starts now, and gets a container. */
  private void assertServes(String after) throws Exception {
    served++;
    Path local = Files.writeString(folder.resolve("served-" + served), "after " + after);
    String path = "/served-" + served;
    HdfsFiles.Ran put =
        files.run("n1", "org.apache.hadoop.fs.FsShell", List.of("-put", local.toString(), path));
    assertThat(put.exit()).as("after: %s\n%s", after, put.text()).isZero();
    assertThat(files.shell("n2", List.of("-cat", path))).contains("after " + after);
    try (TestApplication application = TestApplication.start(cluster.configuration())) {
      application.release(application.hold(Resource.newInstance(256, 1)));
    }
  }

  private void assertIsGreen() throws Exception {
    Ran ran = weir("doctor", "--json", "--probes-in", "/");
    List<String> fine = new ArrayList<>();
    for (JsonNode finding : new ObjectMapper().readTree(ran.text()).path("findings")) {
      assertThat(finding.path("level").asText()).as(ran.text()).isNotIn("wrong", "unknown");
      if (finding.path("level").asText().equals("fine")) {
        fine.add(finding.path("subject").asText());
      }
    }
    assertThat(ran.code()).as(ran.text()).isZero();
    assertThat(fine).contains("ResourceManager", "hints service", "probe pipeline", "setfattr");
  }

  private record Ran(int code, String text) {}

  private Ran doctor() throws Exception {
    Ran ran = weir("doctor", "--probes-in", "/");
    System.out.println(ran.text());
    return ran;
  }

  /** Runs {@code weir} on this machine with the configuration of the cluster's clients. */
  private Ran weir(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(Distribution.built().weir().toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("HADOOP_CONF_DIR", cluster.confDir().toString());
    return run(builder.redirectError(ProcessBuilder.Redirect.INHERIT));
  }

  /** Runs {@code weir doctor --fix} on a host, with the configuration of that host. */
  private Ran fix(String host, Path directory) throws Exception {
    List<String> command =
        List.of(
            Distribution.built().weir().toString(),
            "doctor",
            "--no-probes",
            "--fix",
            directory.toString());
    return run(cluster.command(host, command).redirectErrorStream(true));
  }

  private Ran run(ProcessBuilder builder) throws Exception {
    Path output = Files.createTempFile(folder, "weir", ".txt");
    int code = builder.redirectOutput(output.toFile()).start().waitFor();
    return new Ran(code, Files.readString(output));
  }
}
