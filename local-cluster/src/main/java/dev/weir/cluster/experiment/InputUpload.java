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
 * Puts the inputs of a workflow into HDFS, from a client on none of the nodes, with the default
 * replication. File number i goes to nodes i, i + 1 and so on: where the NameNode would choose at
 * random and so for each mode differently, every mode starts from the same placement.
 */
public final class InputUpload {

  private static final int BUFFER = 64 * 1024;

  private final DistributedFileSystem fs;
  private final List<InetSocketAddress> nodes;

  /**
   * Uploads to the DataNodes that are there now.
   *
   * @param fs stays the caller's
   * @throws IOException when the NameNode does not tell them
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

  /** With the address for a name: the NameNode need not know the nodes by name. */
  private static InetSocketAddress address(DatanodeInfo node) throws IOException {
    byte[] address = InetAddress.getByName(node.getIpAddr()).getAddress();
    return new InetSocketAddress(
        InetAddress.getByAddress(node.getIpAddr(), address), node.getXferPort());
  }

  /**
   * Copies files.
   *
   * @param files their names in both directories, in the order that decides their placement
   * @param local holds them
   * @param directory receives them; made if need be
   * @throws IOException when a file cannot be read or written
   */
  public void upload(List<String> files, java.nio.file.Path local, Path directory)
      throws IOException {
    fs.mkdirs(directory);
    for (int i = 0; i < files.size(); i++) {
      copy(files.get(i), i, local, directory);
    }
  }

  /**
   * Copies files, some side by side, to the same nodes as one after another.
   *
   * @param files their names in both directories, in the order that decides their placement
   * @param local holds them
   * @param directory receives them; made if need be
   * @param together how many at a time, at most
   * @throws IOException when a file cannot be read or written; none is being copied any more then
   * @throws InterruptedException when the thread is interrupted; the same holds
   */
  public void upload(List<String> files, java.nio.file.Path local, Path directory, int together)
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
    ExecutorService threads = Executors.newFixedThreadPool(together);
    try {
      for (Future<Void> copy : threads.invokeAll(copies)) {
        copy.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("Inputs cannot be copied to " + directory + ": " + e.getCause(), e);
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
    InetSocketAddress[] wanted = new InetSocketAddress[Math.min(replication, nodes.size())];
    for (int k = 0; k < wanted.length; k++) {
      wanted[k] = nodes.get((number + k) % nodes.size());
    }
    return fs.create(
        target,
        FsPermission.getFileDefault(),
        true,
        BUFFER,
        replication,
        fs.getDefaultBlockSize(target),
        null,
        wanted);
  }
}
