package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/**
 * What a worker takes for tasks that read thousands of tiny files: a program beside the tests, for
 * two JVMs with the flags of the local cluster's.
 *
 * <pre>
 * TinyInputs cluster DIRECTORY FILES SETS    an HDFS of six nodes with FILES files in each of SETS
 *                                            directories, until its input ends; says its port
 * TinyInputs worker PORT PID FILES SETS      a worker on the first node, one task for each set; PID
 *                                            is the other JVM's
 * </pre>
 */
final class TinyInputs {

  private static final int BYTES = 300;
  private static final int NODES = 6;
  private static final int LIMIT_SECONDS = 600;

  private TinyInputs() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("cluster")) {
      cluster(Path.of(arguments[1]), number(arguments[2]), number(arguments[3]));
    } else {
      work(number(arguments[1]), number(arguments[2]), number(arguments[3]), number(arguments[4]));
    }
    System.exit(0);
  }

  private static int number(String argument) {
    return Integer.parseInt(argument);
  }

  private static void cluster(Path directory, int files, int sets) throws Exception {
    Configuration conf = new Configuration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
    conf.setInt("dfs.replication", 1);
    String[] hosts = new String[NODES];
    for (int i = 0; i < NODES; i++) {
      hosts[i] = "n" + (i + 1);
    }
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf).numDataNodes(NODES).hosts(hosts).build()) {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      SmallFiles small = new SmallFiles(fs, fs.getClient());
      var threads = Executors.newFixedThreadPool(NODES);
      Random random = new Random(1);
      for (int set = 0; set < sets; set++) {
        for (int file = 0; file < files; file++) {
          String path = path(set, file);
          byte[] content = new byte[BYTES];
          random.nextBytes(content);
          var unused =
              threads.submit(
                  () ->
                      small.put(
                          content,
                          new org.apache.hadoop.fs.Path(path),
                          () -> {
                            throw new IOException("not made");
                          }));
        }
      }
      threads.shutdown();
      threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS);
      System.out.println(
          "port " + cluster.getNameNodePort() + " pid " + ProcessHandle.current().pid());
      System.in.transferTo(java.io.OutputStream.nullOutputStream());
    }
  }

  private static String path(int set, int file) {
    return String.format(Locale.ROOT, "/sets/%d/fit.%06d.txt", set, file);
  }

  private static void work(int port, int pid, int files, int sets) throws Exception {
    Path temp = Files.createTempDirectory("tiny");
    Configuration conf = new Configuration();
    DistributedFileSystem fs = PlainHdfs.open(URI.create("hdfs://localhost:" + port), conf);
    ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());
    CommandShells shells = new CommandShells(Map.of("PATH", "/usr/bin:/bin"), guard);
    TaskRunner runner =
        new TaskRunner(
            new HdfsDataStore(fs, "n1", TestTools.AT_ONCE),
            new TaskRunner.Places(
                temp.resolve("sandboxes"),
                Files.createDirectory(temp.resolve("logs")),
                CommandEnvironment.base(Map.of("PATH", "/usr/bin:/bin"))),
            TestTools.of(
                Transfers.start(
                    64 << 20,
                    work -> {
                      Thread thread = new Thread(work);
                      thread.setDaemon(true);
                      return thread;
                    }),
                shells));
    Gate gate = new Gate(1, 1L << 30);
    System.out.println("load " + Files.readString(Path.of("/proc/loadavg")).strip());
    System.out.println("task: stage-in s, then CPU s of the whole task: user, system, of the HDFS");
    for (int set = 0; set < sets; set++) {
      List<FileSlot> inputs = new ArrayList<>();
      for (int file = 0; file < files; file++) {
        inputs.add(new FileSlot(path(set, file).substring(1), path(set, file), BYTES));
      }
      TaskOrder order = TaskOrders.shell("t" + set, inputs, List.of(), "true");
      double[] before = cpu("self");
      double[] hdfs = cpu(Integer.toString(pid));
      TaskReport report = runner.run(order, gate.ticket(order.needs()));
      double[] after = cpu("self");
      double[] hdfsAfter = cpu(Integer.toString(pid));
      System.out.printf(
          Locale.ROOT,
          "%d: %.2f  %.2f %.2f  %.2f  %s%s%n",
          set,
          (report.usage().stageInLocalMillis() + report.usage().stageInRemoteMillis()) / 1000.0,
          after[0] - before[0],
          after[1] - before[1],
          hdfsAfter[0] + hdfsAfter[1] - hdfs[0] - hdfs[1],
          report.result(),
          report.message());
    }
    System.out.println("load " + Files.readString(Path.of("/proc/loadavg")).strip());
    shells.close();
    guard.close();
    // Not deleted: ext4 passes over the places of what was deleted within the last minutes.
    System.out.println("left in " + temp);
  }

  /** Seconds of user and of system time of a process. */
  private static double[] cpu(String process) throws IOException {
    String stat = Files.readString(Path.of("/proc", process, "stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return new double[] {Long.parseLong(fields[11]) / 100.0, Long.parseLong(fields[12]) / 100.0};
  }
}
