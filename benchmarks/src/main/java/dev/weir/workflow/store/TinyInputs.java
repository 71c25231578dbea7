package dev.weir.workflow.store;

import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.TinyInputsWorker;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.jspecify.annotations.NullMarked;

/**
 * The processor time of a worker for tasks that read thousands of tiny files, and of HDFS beside
 * it. An HDFS of six DataNodes runs in this JVM, and the worker's transfers in another one with the
 * same options. The class is in the package that it measures, because that is package-private.
 *
 * <pre>benchmarks/run tiny DIRECTORY [FILES [SETS]]</pre>
 *
 * <p>A task reads all files of a set. The worker's files stay in the directory, because ext4 does
 * not reuse the inodes of recently deleted files, which would slow down the next run.
 */
@NullMarked
public final class TinyInputs {

  /** The length of a file. */
  public static final int BYTES = 300;

  /** The number of files that the mConcatFit step of an 8-degree Montage reads. */
  private static final int FILES = 6_173;

  private static final int SETS = 3;
  private static final int NODES = 6;

  private TinyInputs() {}

  /**
   * Measures, and prints a line per task.
   *
   * @param args an existing directory for HDFS and the worker, the files of a set, and the number
   *     of sets; the last two are optional
   */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]).toAbsolutePath();
    int files = args.length > 1 ? Integer.parseInt(args[1]) : FILES;
    int sets = args.length > 2 ? Integer.parseInt(args[2]) : SETS;
    try (MiniDFSCluster cluster = hdfs(Files.createTempDirectory(directory, "hdfs"))) {
      write(cluster.getFileSystem(), files, sets);
      int status =
          worker(
                  Files.createTempDirectory(directory, "worker").toString(),
                  Integer.toString(cluster.getNameNodePort()),
                  Long.toString(ProcessHandle.current().pid()),
                  Integer.toString(files),
                  Integer.toString(sets))
              .waitFor();
      if (status != 0) {
        throw new IOException("The worker has ended with exit code " + status);
      }
    }
  }

  private static MiniDFSCluster hdfs(Path directory) throws IOException {
    Configuration conf = new Configuration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
    // With one replica most files are not on the reader's node.
    conf.setInt("dfs.replication", 1);
    String[] hosts = new String[NODES];
    for (int i = 0; i < NODES; i++) {
      hosts[i] = "n" + (i + 1);
    }
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf).numDataNodes(NODES).hosts(hosts).build();
    cluster.waitActive();
    return cluster;
  }

  private static void write(DistributedFileSystem fs, int files, int sets)
      throws IOException, InterruptedException {
    SmallFiles small = new SmallFiles(fs, fs.getClient());
    Random random = new Random(1);
    ExecutorService writers = Executors.newFixedThreadPool(NODES);
    try {
      List<Future<?>> written = new ArrayList<>();
      for (int set = 0; set < sets; set++) {
        for (int file = 0; file < files; file++) {
          org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(path(set, file));
          byte[] content = new byte[BYTES];
          random.nextBytes(content);
          written.add(writers.submit(() -> small.put(content, BYTES, path, () -> refuse(path))));
        }
      }
      for (Future<?> each : written) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("Cannot write the inputs", e);
    } finally {
      writers.shutdownNow();
    }
  }

  private static DataStore.Stored refuse(org.apache.hadoop.fs.Path path) throws IOException {
    throw new IOException(path + " cannot be created as a small file");
  }

  /** Returns the path of a file of a set. */
  public static String path(int set, int file) {
    return String.format(Locale.ROOT, "/sets/%d/fit.%06d.txt", set, file);
  }

  private static Process worker(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), TinyInputsWorker.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).inheritIO().start();
  }
}
