package dev.weir.service.locate.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.TestServer;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.SimulatedFSDataset;
import org.apache.hadoop.security.UserGroupInformation;
import org.awaitility.Awaitility;

/**
 * A real NameNode with stock placement and four DataNodes that store nothing on disk, n1 to n4, on
 * the racks /a and /b, and a server over it that may impersonate alice and bob. Blocks have 1 MiB.
 */
final class LocateCluster implements AutoCloseable {
  static final int MIB = 1 << 20;

  private final InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
  private final MiniDFSCluster cluster;
  private final FileSystem files;
  private final TestServer server;

  LocateCluster() throws IOException {
    String self = UserGroupInformation.getCurrentUser().getShortUserName();
    Configuration conf = new Configuration();
    conf.set(
        MiniDFSCluster.HDFS_MINIDFS_BASEDIR, Files.createTempDirectory("weir-locate").toString());
    SimulatedFSDataset.setFactory(conf);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, MIB);
    conf.set("hadoop.proxyuser." + self + ".hosts", "*");
    conf.set("hadoop.proxyuser." + self + ".users", "alice,bob");
    cluster =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(4)
            .racks(new String[] {"/a", "/a", "/b", "/b"})
            .hosts(new String[] {"n1", "n2", "n3", "n4"})
            .build();
    cluster.waitActive();
    files = cluster.getFileSystem();
    server =
        TestServer.over(
            store,
            Map.of(
                "fs.defaultFS",
                cluster.getURI().toString(),
                "weir.server.admins",
                self,
                "dfs.replication",
                "3",
                // In one process, the NameNode and the server have the same list.
                "hadoop.proxyuser." + self + ".hosts",
                "*",
                "hadoop.proxyuser." + self + ".users",
                "alice,bob"));
  }

  InMemoryHintStore store() {
    return store;
  }

  TestServer server() {
    return server;
  }

  /**
   * Writes a file as the superuser. The NameNode learns of all replicas but the first a moment
   * after the close.
   */
  void write(String path, int replication, int bytes) throws IOException {
    try (FSDataOutputStream out =
        files.create(new Path(path), true, 4096, (short) replication, MIB)) {
      out.write(new byte[bytes]);
    }
    if (replication > 1) {
      Awaitility.await("all replicas of " + path)
          .atMost(Duration.ofMinutes(1))
          .until(() -> fewestReplicas(path) == replication);
    }
  }

  private int fewestReplicas(String path) throws IOException {
    int fewest = Integer.MAX_VALUE;
    for (BlockLocation block : files.getFileBlockLocations(new Path(path), 0, Long.MAX_VALUE)) {
      fewest = Math.min(fewest, block.getHosts().length);
    }
    return fewest;
  }

  /** Writes small files with a prefix and a number, nine of ten empty. */
  void writeMany(String prefix, int count, int bytes) throws InterruptedException {
    ExecutorService writers = Executors.newFixedThreadPool(4);
    IntStream.range(0, count)
        .forEach(
            i ->
                writers.execute(
                    () -> {
                      try {
                        write(prefix + i, 1, i % 10 == 0 ? bytes : 0);
                      } catch (IOException e) {
                        throw new IllegalStateException(e);
                      }
                    }));
    writers.shutdown();
    if (!writers.awaitTermination(5, TimeUnit.MINUTES)) {
      throw new IllegalStateException("the files are not written");
    }
  }

  void directory(String path, String owner, int permission) throws IOException {
    Path directory = new Path(path);
    files.mkdirs(directory);
    files.setOwner(directory, owner, owner);
    files.setPermission(directory, new FsPermission((short) permission));
  }

  /** Requests paths as a user. */
  JsonNode ask(String user, String call, Collection<String> paths) throws Exception {
    HttpResponse<String> answer = post(user, call, body(paths).toString());
    if (answer.statusCode() != 200) {
      throw new AssertionError(answer.statusCode() + " " + answer.body());
    }
    return json(answer);
  }

  HttpResponse<String> post(String user, String call, String body) throws Exception {
    String query = (call.contains("?") ? "&" : "?") + "user.name=" + user;
    return server.sendJson("POST", call + query, body);
  }

  HttpResponse<String> explain(String user, String path) throws Exception {
    return server.send(
        "GET",
        "/v1/explain?user.name="
            + user
            + "&path="
            + URLEncoder.encode(path, StandardCharsets.UTF_8));
  }

  static ObjectNode body(Collection<String> paths) {
    ObjectNode body = new ObjectMapper().createObjectNode();
    paths.forEach(body.putArray("paths")::add);
    return body;
  }

  static JsonNode json(HttpResponse<String> answer) throws IOException {
    return new ObjectMapper().readTree(answer.body());
  }

  @Override
  public void close() {
    server.close();
    cluster.shutdown(true);
  }
}
