package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.plan.NodeInfo;
import dev.weir.it.Distribution;
import dev.weir.it.NodeSettings;
import dev.weir.it.ThisMachine;
import dev.weir.workflow.model.FetchCommand;
import dev.weir.workflow.model.FetchTasks;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.File;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A run whose result goes to an object store, and one whose input comes from there. The keys of the
 * store are in a credential store of HDFS.
 */
abstract class ObjectStoreContract extends MarkedRuns {

  private static final Duration DEADLINE = Duration.ofMinutes(1);

  /** What {@code integration-tests/object-store/pom.xml} has put there. */
  static final Path JARS = Path.of("object-store/target").toAbsolutePath();

  /** What {@code .ci/nightly} has installed. */
  static final Path PROGRAMS = Path.of("../target").toAbsolutePath().normalize();

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin/java").toString();
  private static final String CLASSPATH = "yarn.application.classpath";

  private final List<NodeSettings> changed = new ArrayList<>();
  private final String connector;
  private final String place;
  private final String program;
  private Process server;

  /**
   * Tests of a store.
   *
   * @param connector the directory of Hadoop's connector below {@link #JARS}
   * @param place the URL of a bucket
   * @param program of the server
   */
  ObjectStoreContract(String connector, String place, Path program) {
    super("objects");
    this.connector = JARS.resolve(connector) + "/*";
    this.place = place;
    this.program = program.toString();
  }

  /**
   * The command of a server that listens on all addresses of this machine, one of which is given.
   */
  abstract List<String> server(String address, int port) throws Exception;

  /** The settings of the connector for a server at an address. */
  abstract Map<String, String> settings(String address, int port);

  /** The keys of the credential store; the values must be in no log. */
  abstract Map<String, String> keys();

  @BeforeEach
  void serve() throws Exception {
    assumeThat(Path.of(program)).as("installed by .ci/nightly, or built with -Pnightly").exists();
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    String address = ThisMachine.address(cluster);
    server =
        new ProcessBuilder(server(address, port))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("server.out").toFile())
            .start();
    await().atMost(DEADLINE).until(() -> answers(port));
    configure(settings(address, port));
  }

  static List<String> java(String classPath, String... arguments) {
    return Stream.concat(Stream.of(JAVA, "-cp", classPath), Stream.of(arguments)).toList();
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Gives all nodes and the client the connector and the address of the server. */
  private void configure(Map<String, String> settings) throws Exception {
    Map<String, String> core =
        Stream.concat(
                settings.entrySet().stream(),
                Stream.of(
                    Map.entry(
                        "hadoop.security.credential.provider.path",
                        "jceks://hdfs/user/${env.USER}/keys.jceks")))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    Map<String, String> yarn =
        Map.of(CLASSPATH, cluster.configuration().get(CLASSPATH) + "," + connector);
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
        "jceks://hdfs/user/" + user + "/keys.jceks");
    CredentialProvider store = CredentialProviderFactory.getProviders(conf).get(0);
    for (Map.Entry<String, String> key : keys().entrySet()) {
      store.createCredentialEntry(key.getKey(), key.getValue().toCharArray());
    }
    store.flush();
  }

  @Test
  void resultsGoToTheStoreAndInputsComeFromThere() throws Exception {
    String user = runs.files().fs().getHomeDirectory().getName();
    storeKeys(user);
    Workflow makes =
        new ShellWorkflow("makes")
            .task("make", "printf 'ACGT\\nACGT\\n' > reads.txt", List.of(), List.of("reads.txt"))
            .build();
    assertThat(weir(user, makes, "made", "--publish", place + "/in").waitFor())
        .as(printed())
        .isZero();
    assertThat(content(user, "/in/reads.txt")).isEqualTo("ACGT\nACGT\n");

    Workflow own =
        new ShellWorkflow("reads")
            .task("sum", "wc -l < reads.txt > sum.txt", List.of("reads.txt"), List.of("sum.txt"))
            .build();
    Map<String, FetchCommand> sources =
        Map.of("reads.txt", new FetchCommand(place + "/in/reads.txt", ""));
    Workflow reads = new Workflow(own.name(), FetchTasks.added(own.tasks(), sources), own.files());
    assertThat(weir(user, reads, "read", "--publish", place + "/results").waitFor())
        .as(printed())
        .isZero();
    assertThat(content(user, "/results/sum.txt")).isEqualTo("2\n");
    assertNoLogHasTheKeys();
  }

  /** Returns the content of an object, as {@code hadoop fs -cat} prints it. */
  private String content(String user, String object) throws Exception {
    String classPath =
        Stream.concat(
                Stream.of(cluster.confDir().toString(), connector),
                Stream.of(Distribution.built().plugins(), Distribution.built().hadoopJars())
                    .flatMap(List::stream)
                    .map(Path::toString))
            .collect(Collectors.joining(File.pathSeparator));
    Path content = folder.resolve("content");
    ProcessBuilder shell =
        new ProcessBuilder(java(classPath, "org.apache.hadoop.fs.FsShell", "-cat", place + object))
            .redirectOutput(content.toFile())
            .redirectError(folder.resolve("shell.err").toFile());
    shell.environment().put("USER", user);
    assertThat(shell.start().waitFor()).as(Files.readString(folder.resolve("shell.err"))).isZero();
    return Files.readString(content);
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
    builder.environment().put("HADOOP_CLASSPATH", connector);
    builder.environment().put("USER", user);
    return builder.start();
  }

  private String printed() throws IOException {
    return Files.readString(folder.resolve("printed"));
  }

  private void assertNoLogHasTheKeys() throws IOException {
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
          .doesNotContain(keys().values());
    }
    assertThat(printed()).doesNotContain(keys().values());
  }
}
