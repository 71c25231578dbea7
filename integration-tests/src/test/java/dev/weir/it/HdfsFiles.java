package dev.weir.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.config.SiteProperties;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.StoreAccess;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import dev.weir.hints.store.ClientRules;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.ZooKeeperHintStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Writes files from nodes with Hadoop's commands, and locates their blocks. */
public final class HdfsFiles {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final LocalCluster cluster;
  private final FileSystem fs;

  public HdfsFiles(LocalCluster cluster) throws IOException {
    this.cluster = cluster;
    this.fs = FileSystem.newInstance(cluster.configuration());
  }

  /** The file system as a client of this machine sees it. */
  public FileSystem fs() {
    return fs;
  }

  /** Copies a local file into a directory with {@code hadoop fs} on a node, following hints. */
  public void put(String node, Path local, String directory) throws Exception {
    fs.mkdirs(new org.apache.hadoop.fs.Path(directory));
    shell(node, List.of("-put", local.toString(), directory));
  }

  /** Writes a file with one replica, on that node, from this process. */
  public void putOn(String node, String file, int bytes) throws IOException {
    DistributedFileSystem hdfs = (DistributedFileSystem) fs;
    InetSocketAddress[] address =
        Arrays.stream(hdfs.getDataNodeStats())
            .filter(dataNode -> dataNode.getHostName().equals(node))
            .map(
                dataNode ->
                    InetSocketAddress.createUnresolved(
                        dataNode.getIpAddr(), dataNode.getXferPort()))
            .toArray(InetSocketAddress[]::new);
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file);
    try (OutputStream out =
        hdfs.create(
            path,
            FsPermission.getFileDefault(),
            true,
            BUFFER_BYTES,
            (short) 1,
            hdfs.getDefaultBlockSize(path),
            null,
            address)) {
      out.write(new byte[bytes]);
    }
    assertThat(hosts(file)).as(file).containsExactly(node);
  }

  /** Opens the hints of a cluster with the credentials of its hints service. */
  public static HintStore openHints(LocalCluster cluster) {
    Configuration conf = new Configuration(cluster.configuration());
    conf.set(StoreAccess.AUTH_KEY, SiteProperties.ZOOKEEPER_AUTH);
    return ZooKeeperHintStore.open(HintSettings.from(conf));
  }

  /**
   * Writes a set, and waits until the NameNode follows it and the hints service has shown its rules
   * to clients.
   */
  public void hint(HintStore store, HintSet set) throws Exception {
    long version = store.put(set);
    assertThat(store.awaitApplied(version, HintStore.ROLE_NAMENODE, DEADLINE)).isTrue();
    await()
        .atMost(DEADLINE)
        .until(
            () ->
                clientRules().rules("clients").stream()
                    .map(Match::rule)
                    .toList()
                    .containsAll(set.rules()));
  }

  /** Waits until clients can read the rule of a file. */
  public void awaitRule(String file) {
    await().atMost(DEADLINE).until(() -> clientRules().lookup(file).isPresent());
  }

  private HintIndex clientRules() throws IOException {
    byte[] value = fs.getXAttrs(new org.apache.hadoop.fs.Path("/")).get(ClientRules.ATTRIBUTE);
    return value == null ? HintIndex.empty() : ClientRules.decode(value, "", Instant.EPOCH);
  }

  /** Runs {@code hadoop fs} on a node. */
  public String shell(String node, List<String> arguments) throws Exception {
    Ran ran = run(node, "org.apache.hadoop.fs.FsShell", arguments);
    if (ran.exit() != 0) {
      throw new IOException(
          "hadoop fs " + arguments + " on " + node + ": " + ran.exit() + "\n" + ran.text());
    }
    return ran.text();
  }

  /** Runs one of Hadoop's programs on a node until it ends. */
  public Ran run(String node, String program, List<String> arguments) throws Exception {
    Path output = Files.createTempFile("weir-it", ".txt");
    try {
      Process process =
          cluster
              .java(node, program, arguments)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      return new Ran(process.waitFor(), Files.readString(output));
    } finally {
      Files.delete(output);
    }
  }

  /**
   * The result of a program.
   *
   * @param exit its exit code
   * @param text its standard output and standard error
   */
  public record Ran(int exit, String text) {}

  /** The host names that hold each block of a file, sorted. */
  public List<List<String>> hostsOfBlocks(String file) throws IOException {
    FileStatus status = fs.getFileStatus(new org.apache.hadoop.fs.Path(file));
    List<List<String>> blocks = new ArrayList<>();
    for (BlockLocation block : fs.getFileBlockLocations(status, 0, status.getLen())) {
      blocks.add(List.of(block.getHosts()).stream().sorted().toList());
    }
    return blocks;
  }

  /** The host names that hold replicas of a file of one block, sorted. */
  public List<String> hosts(String file) throws IOException {
    return hostsOfBlocks(file).stream().flatMap(List::stream).distinct().sorted().toList();
  }

  /** The length and the SHA-256 of a file's content. */
  public String sum(String file) throws IOException {
    MessageDigest digest = sha256();
    long bytes = 0;
    try (InputStream in = fs.open(new org.apache.hadoop.fs.Path(file))) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
        bytes += read;
      }
    }
    return bytes + " bytes, " + HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The replication of a file. */
  public int replication(String file) throws IOException {
    return fs.getFileStatus(new org.apache.hadoop.fs.Path(file)).getReplication();
  }
}
