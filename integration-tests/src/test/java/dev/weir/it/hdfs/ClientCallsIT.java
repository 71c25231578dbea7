package dev.weir.it.hdfs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.config.SiteProperties;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.store.ClientRules;
import dev.weir.hints.store.HintStore;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What hints cost the NameNode and ZooKeeper with many client processes on one host: {@code
 * -Dweir.clients=500}, a few at a time. One half writes, the other half reads.
 */
@Tag("nightly")
class ClientCallsIT {
  private static final int HALF = Integer.getInteger("weir.clients", 500) / 2;
  private static final int BATCH = 5;
  private static final String NODE = "n1";
  private static final String HINTED = "/client-calls/hinted";
  private static final String PLAIN = "/client-calls/plain";
  private static final Pattern CONNECTIONS = Pattern.compile("Connections: (\\d+)");

  @TempDir private Path folder;
  private LocalCluster cluster;
  private HdfsFiles files;
  private HintStore store;
  private String local;

  /** Without a hints service, which also reads attributes; the test writes what it would write. */
  @BeforeEach
  void open() throws Exception {
    ClusterSpec spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
            .nodes(4)
            .hintServices(0)
            .hosts(ClusterExtension.hosts())
            .build();
    cluster = LocalCluster.start(spec, step -> System.out.println("client calls: " + step));
    files = new HdfsFiles(cluster);
    store = HdfsFiles.openHints(cluster);
    local = Files.writeString(folder.resolve("file"), "content").toString();
    for (String directory : List.of(HINTED, PLAIN)) {
      files.fs().mkdirs(new org.apache.hadoop.fs.Path(directory));
    }
    Rule rule = new Rule(PathPattern.parse(HINTED + "/**"), HintPresets.broadcast(4));
    HintSet set = new HintSet("client-calls-it", "it", null, List.of(rule));
    byte[] rules = ClientRules.of(HintIndex.of(List.of(set))).value();
    files.fs().setXAttr(new org.apache.hadoop.fs.Path("/"), ClientRules.ATTRIBUTE, rules);
    files.hint(store, set);
  }

  @AfterEach
  void close() throws Exception {
    store.close();
    files.fs().close();
    cluster.close();
  }

  @Test
  void aWriterMakesOneCallAndAReaderNone() throws Exception {
    archiveClasses(List.of("-put", local, PLAIN + "/first"));
    int sessions = zooKeeperConnections();
    long before = attributeCalls();
    runAll(i -> List.of("-put", local, (i % 2 == 0 ? HINTED : PLAIN) + "/f" + i));
    long writers = attributeCalls() - before;
    assertThat(files.replication(HINTED + "/f0")).isEqualTo(4);
    assertThat(files.replication(PLAIN + "/f1")).isEqualTo(3);

    archiveClasses(List.of("-cat", PLAIN + "/first"));
    before = attributeCalls();
    runAll(i -> List.of("-cat", (i % 2 == 0 ? HINTED : PLAIN) + "/f" + i));
    long readers = attributeCalls() - before;

    System.out.printf(
        "%d writers: %d calls for rules; %d readers: %d; ZooKeeper connections: %d before, at most"
            + " %d during, %d after%n",
        HALF, writers, HALF, readers, sessions, mostConnections, zooKeeperConnections());
    assertThat(writers).isEqualTo(HALF);
    assertThat(readers).isZero();
    assertThat(mostConnections).isEqualTo(sessions);
  }

  private int mostConnections;

  private interface Client {
    List<String> words(int number);
  }

  /** Runs a JVM for each client, {@value #BATCH} at a time. */
  private void runAll(Client client) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(BATCH);
    try {
      List<Future<String>> all =
          IntStream.range(0, HALF)
              .mapToObj(i -> pool.submit(() -> shell("-XX:SharedArchiveFile=", client.words(i))))
              .toList();
      for (Future<String> one : all) {
        String unused = one.get();
        mostConnections = Math.max(mostConnections, zooKeeperConnections());
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** Archives the classes of a command, whose loading would take most of a client's time. */
  private void archiveClasses(List<String> words) throws Exception {
    String unused = shell("-XX:ArchiveClassesAtExit=", words);
  }

  /** Runs {@code hadoop fs}. */
  private String shell(String archiveOption, List<String> words) throws Exception {
    Path output = Files.createTempFile(folder, "client", ".txt");
    ProcessBuilder shell =
        cluster
            .java(NODE, "org.apache.hadoop.fs.FsShell", words)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    shell.environment().put("JDK_JAVA_OPTIONS", archiveOption + folder.resolve("classes.jsa"));
    int exit = shell.start().waitFor();
    String text = Files.readString(output);
    assertThat(exit).as(words + "\n" + text).isZero();
    Files.delete(output);
    return text;
  }

  private long attributeCalls() throws IOException {
    JsonNode beans =
        cluster.jmx(
            "namenode",
            "Hadoop:service=NameNode,name=RpcDetailedActivityForPort"
                + SiteProperties.NAMENODE_PORT);
    return beans.get(0).path("GetXAttrsNumOps").asLong();
  }

  private int zooKeeperConnections() throws IOException {
    try (Socket socket = new Socket(cluster.master().address(), SiteProperties.ZOOKEEPER_PORT)) {
      socket.getOutputStream().write("srvr".getBytes(US_ASCII));
      Matcher connections =
          CONNECTIONS.matcher(new String(socket.getInputStream().readAllBytes(), US_ASCII));
      assertThat(connections.find()).isTrue();
      // One of them asks.
      return Integer.parseInt(connections.group(1)) - 1;
    }
  }
}
