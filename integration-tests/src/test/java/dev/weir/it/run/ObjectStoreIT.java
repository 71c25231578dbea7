package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.plan.NodeInfo;
import dev.weir.it.Distribution;
import dev.weir.it.NodeSettings;
import dev.weir.it.ThisMachine;
import dev.weir.workflow.model.FetchCommand;
import dev.weir.workflow.model.FetchTasks;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A run whose input comes from an S3 server, and whose result goes to it. */
@Tag("nightly")
class ObjectStoreIT extends MarkedRuns {

  private static final Duration DEADLINE = Duration.ofMinutes(1);

  /** What {@code integration-tests/object-store/pom.xml} has put there. */
  private static final Path JARS = Path.of("object-store/target").toAbsolutePath();

  private static final String KEY = "KEY7";
  private static final String SECRET = "SECRET7";
  private static final String CLASSPATH = "yarn.application.classpath";

  private final List<NodeSettings> changed = new ArrayList<>();
  private Path bucket;
  private Process server;
  private int port;

  ObjectStoreIT() {
    super("objects");
  }

  @BeforeEach
  void serve() throws Exception {
    assertThat(JARS.resolve("s3proxy")).as("built with -Pnightly").isDirectory();
    bucket = Files.createDirectories(folder.resolve("objects/lab"));
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Path properties = folder.resolve("s3proxy.conf");
    Files.write(
        properties,
        List.of(
            "s3proxy.endpoint=http://0.0.0.0:" + port,
            "s3proxy.authorization=aws-v2-or-v4",
            "s3proxy.identity=" + KEY,
            "s3proxy.credential=" + SECRET,
            "jclouds.provider=filesystem",
            "jclouds.filesystem.basedir=" + bucket.getParent(),
            "jclouds.identity=any",
            "jclouds.credential=any"));
    server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                JARS.resolve("s3proxy") + "/*",
                "org.gaul.s3proxy.Main",
                "--properties",
                properties.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("s3proxy.out").toFile())
            .start();
    await().atMost(DEADLINE).until(this::answers);
    configure();
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Gives all nodes and the client the connector and the address of the server. */
  private void configure() throws Exception {
    Map<String, String> core =
        Map.of(
            "fs.s3a.endpoint", "http://" + ThisMachine.address(cluster) + ":" + port,
            "fs.s3a.endpoint.region", "us-east-1",
            "fs.s3a.path.style.access", "true",
            "hadoop.security.credential.provider.path", "jceks://hdfs/user/${env.USER}/s3.jceks");
    Map<String, String> yarn =
        Map.of(CLASSPATH, cluster.configuration().get(CLASSPATH) + "," + JARS + "/s3a/*");
    List<Path> directories = new ArrayList<>(List.of(cluster.confDir()));
    for (NodeInfo node : cluster.nodes()) {
      directories.add(cluster.confDir(node.name()));
    }
    for (Path directory : directories) {
      changed.add(NodeSettings.change(directory.resolve("core-site.xml"), core));
      changed.add(NodeSettings.change(directory.resolve("yarn-site.xml"), yarn));
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (NodeSettings settings : changed) {
      settings.close();
    }
    if (server != null) {
      server.destroyForcibly().waitFor();
    }
  }

  /** Stores the keys as {@code hadoop credential create} does. */
  private void storeKeys(String user) throws Exception {
    Configuration conf = new Configuration(cluster.configuration());
    conf.set(
        CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH,
        "jceks://hdfs/user/" + user + "/s3.jceks");
    CredentialProvider store = CredentialProviderFactory.getProviders(conf).get(0);
    store.createCredentialEntry("fs.s3a.access.key", KEY.toCharArray());
    store.createCredentialEntry("fs.s3a.secret.key", SECRET.toCharArray());
    store.flush();
  }

  @Test
  void resultsGoToS3AndInputsComeFromThere() throws Exception {
    String user = runs.files().fs().getHomeDirectory().getName();
    storeKeys(user);
    Workflow makes =
        new ShellWorkflow("makes")
            .task("make", "printf 'ACGT\\nACGT\\n' > reads.txt", List.of(), List.of("reads.txt"))
            .build();
    assertThat(weir(user, makes, "made", "--publish", "s3a://lab/in").waitFor())
        .as(printed())
        .isZero();
    assertThat(bucket.resolve("in/reads.txt")).hasContent("ACGT\nACGT");

    Workflow own =
        new ShellWorkflow("reads")
            .task("sum", "wc -l < reads.txt > sum.txt", List.of("reads.txt"), List.of("sum.txt"))
            .build();
    Map<String, FetchCommand> sources =
        Map.of("reads.txt", new FetchCommand("s3a://lab/in/reads.txt", ""));
    Workflow reads = new Workflow(own.name(), FetchTasks.added(own.tasks(), sources), own.files());
    assertThat(weir(user, reads, "read", "--publish", "s3a://lab/results").waitFor())
        .as(printed())
        .isZero();
    assertThat(bucket.resolve("results/sum.txt")).hasContent("2");
    assertNoLogHasTheSecret();
  }

  private Process weir(String user, Workflow workflow, String directory, String... more)
      throws IOException {
    Path file = folder.resolve("workflow.json");
    WfFormatWriter.write(workflow, file);
    List<String> command =
        new ArrayList<>(List.of(Distribution.built().weir().toString(), "run", file.toString()));
    command.addAll(List.of("--workers", "2", "--data", runs.path(directory, ".")));
    command.addAll(List.of("--out", folder.resolve("out").toString()));
    command.addAll(List.of(more));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("printed").toFile());
    builder.environment().put("HADOOP_CONF_DIR", cluster.confDir().toString());
    builder.environment().put("HADOOP_CLASSPATH", JARS + "/s3a/*");
    builder.environment().put("USER", user);
    return builder.start();
  }

  private String printed() throws IOException {
    return Files.readString(folder.resolve("printed"));
  }

  private void assertNoLogHasTheSecret() throws IOException {
    List<Path> logs;
    try (Stream<Path> files = Files.walk(cluster.dir())) {
      logs =
          files
              .filter(Files::isRegularFile)
              .filter(path -> path.toString().matches(".*(\\.log|\\.out|std(out|err)|syslog)"))
              .toList();
    }
    assertThat(logs).isNotEmpty();
    for (Path log : logs) {
      assertThat(Files.readString(log, StandardCharsets.ISO_8859_1))
          .as(log.toString())
          .doesNotContain(SECRET);
    }
    assertThat(printed()).doesNotContain(SECRET);
  }
}
