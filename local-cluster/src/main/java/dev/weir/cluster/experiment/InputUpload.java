package dev.weir.cluster.experiment;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Uploads the inputs of a workflow to HDFS, from a client that is on none of the nodes, with the
 * default replication. File number i goes to nodes i, i + 1 and so on. The NameNode would choose
 * random nodes. With fixed nodes, every mode starts from the same placement.
 */
public final class InputUpload {

  private static final int BUFFER = 64 * 1024;

  private final DistributedFileSystem fs;
  private final List<InetSocketAddress> nodes;

  /**
   * Creates an upload to the current DataNodes.
   *
   * @param fs the file system, which the caller closes
   * @throws IOException if the NameNode does not report its DataNodes
   */
  public InputUpload(DistributedFileSystem fs) throws IOException {
    this.fs = fs;
    DatanodeInfo[] live = fs.getDataNodeStats();
    Arrays.sort(live, Comparator.comparing(DatanodeInfo::getHostName));
    InetSocketAddress[] addresses = new InetSocketAddress[live.length];
    for (int i = 0; i < live.length; i++) {
      addresses[i] = address(live[i]);
    }
    this.nodes = List.of(addresses);
  }

  /** The address serves as the name, because the NameNode need not know nodes by name. */
  private static InetSocketAddress address(DatanodeInfo node) throws IOException {
    byte[] address = InetAddress.getByName(node.getIpAddr()).getAddress();
    return new InetSocketAddress(
        InetAddress.getByAddress(node.getIpAddr(), address), node.getXferPort());
  }

  /**
   * Copies files one after another.
   *
   * @param files their names in both directories, in the order that decides their placement
   * @param local the source directory
   * @param directory the target directory, created if missing
   */
  public void upload(List<String> files, java.nio.file.Path local, Path directory)
      throws IOException {
    fs.mkdirs(directory);
    for (int i = 0; i < files.size(); i++) {
      copy(files.get(i), i, local, directory);
    }
  }

  /**
   * Copies several files at a time, to the same nodes as one after another. Copies have ended when
   * an exception is thrown.
   *
   * @param files their names in both directories, in the order that decides their placement
   * @param local the source directory
   * @param directory the target directory, created if missing
   * @param parallelism the maximum number of files at a time
   */
  public void upload(List<String> files, java.nio.file.Path local, Path directory, int parallelism)
      throws IOException, InterruptedException {
    fs.mkdirs(directory);
    List<Callable<Void>> copies = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      int number = i;
      copies.add(
          () -> {
            copy(files.get(number), number, local, directory);
            return null;
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(parallelism);
    try {
      for (Future<Void> copy : threads.invokeAll(copies)) {
        copy.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("Cannot copy inputs to " + directory + ": " + e.getCause(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  private void copy(String file, int number, java.nio.file.Path local, Path directory)
      throws IOException {
    try (OutputStream out = create(new Path(directory, file), number)) {
      Files.copy(local.resolve(file), out);
    }
  }

  private OutputStream create(Path target, int number) throws IOException {
    short replication = fs.getDefaultReplication(target);
    InetSocketAddress[] favoured = new InetSocketAddress[Math.min(replication, nodes.size())];
    for (int k = 0; k < favoured.length; k++) {
      favoured[k] = nodes.get((number + k) % nodes.size());
    }
    return fs.create(
        target,
        FsPermission.getFileDefault(),
        true,
        BUFFER,
        replication,
        fs.getDefaultBlockSize(target),
        null,
        favoured);
  }
}
