package dev.weir.hdfs.gather;

import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A real NameNode and three DataNodes, with blocks of a kilobyte. */
final class GatherCluster implements AutoCloseable {
  static final int BLOCK = 1024;
  static final int REGION = 3 * BLOCK;

  private final MiniDFSCluster cluster;
  private final DistributedFileSystem fs;

  GatherCluster() throws IOException {
    Configuration conf = new Configuration();
    java.nio.file.Path directory = Files.createTempDirectory("weir-gather");
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 512);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK);
    conf.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 1);
    // Closes files with one replica sooner, see CloseRetryConfig.
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 20);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.retries", 9);
    conf.set(
        CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH,
        "jceks://file" + directory.resolve("keys.jks"));
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(3).build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
  }

  DistributedFileSystem fs() {
    return fs;
  }

  MiniDFSCluster hadoop() {
    return cluster;
  }

  GatherClient gathers() {
    return gathers(Clock.systemUTC());
  }

  GatherClient gathers(Clock clock) {
    return new GatherClient(fs, clock, new SecureRandom());
  }

  /** All files and directories below a directory, as relative paths. */
  List<String> list(Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    for (FileStatus entry : fs.listStatus(directory)) {
      String name = entry.getPath().getName();
      names.add(name);
      if (entry.isDirectory()) {
        list(entry.getPath()).forEach(below -> names.add(name + "/" + below));
      }
    }
    return names;
  }

  byte[] read(Path file) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      return in.readAllBytes();
    }
  }

  static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** The bytes of a region of a file. */
  static byte[] region(byte[] file, int region) {
    int from = Math.min(file.length, region * REGION);
    return Arrays.copyOfRange(file, from, Math.min(file.length, from + REGION));
  }

  @Override
  public void close() throws IOException {
    fs.close();
    cluster.shutdown(true);
  }
}
