package dev.weir.workflow.transfer;

import dev.weir.workflow.cache.CoordinatedTransfers;
import dev.weir.workflow.hdfs.PlainHdfs;
import dev.weir.workflow.process.CommandEnvironment;
import dev.weir.workflow.process.CommandShells;
import dev.weir.workflow.process.ProcessGuard;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.store.HdfsDataStore;
import dev.weir.workflow.store.TinyInputs;
import dev.weir.workflow.worker.ResourceGate;
import dev.weir.workflow.worker.TaskRunner;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.jspecify.annotations.NullMarked;

/**
 * The other JVM of {@link TinyInputs}. It runs one task after another, each with a set of inputs.
 */
@NullMarked
public final class TinyInputsWorker {

  private static final String NODE = "n1";
  private static final long RENEW_MILLIS = 5_000;

  /** The clock ticks of {@code /proc} per second, which are the same on all Linux systems. */
  private static final double TICKS = 100;

  private TinyInputsWorker() {}

  /**
   * Runs the tasks.
   *
   * @param args its directory, the port of the NameNode, the process id of HDFS, the files of a
   *     set, the number of sets
   */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    URI hdfs = URI.create("hdfs://localhost:" + args[1]);
    String other = args[2];
    int files = Integer.parseInt(args[3]);
    int sets = Integer.parseInt(args[4]);
    Map<String, String> environment = CommandEnvironment.base(System.getenv());
    try (DistributedFileSystem fs = PlainHdfs.open(hdfs, new Configuration());
        ProcessGuard guard = new ProcessGuard("tiny-" + UUID.randomUUID());
        CommandShells shells = new CommandShells(environment, guard)) {
      TaskRunner runner = runner(fs, directory, shells, environment);
      ResourceGate gate = new ResourceGate(1, 1L << 30);
      System.out.println("load " + read("loadavg"));
      System.out.println("task: stage-in s; CPU s of the worker: user, system; of HDFS");
      for (int set = 0; set < sets; set++) {
        TaskOrder order = order(set, files);
        Cpu workerBefore = Cpu.of("self");
        Cpu hdfsBefore = Cpu.of(other);
        TaskReport report = runner.run(order, gate.ticket(order.needs()));
        print(set, report, Cpu.of("self").since(workerBefore), Cpu.of(other).since(hdfsBefore));
      }
      System.out.println("load " + read("loadavg"));
    }
    System.out.println("left in " + directory);
  }

  private static TaskRunner runner(
      DistributedFileSystem fs,
      Path directory,
      CommandShells shells,
      Map<String, String> environment)
      throws IOException {
    // The scheduler does not delay inputs of this size.
    TransferScheduler scheduler =
        new CoordinatedTransfers(NODE, Transfers.BULKY_BYTES, RENEW_MILLIS, System::nanoTime);
    Transfers transfers =
        Transfers.start(
            Transfers.BULKY_BYTES,
            work -> {
              Thread thread = new Thread(work);
              thread.setDaemon(true);
              return thread;
            });
    return new TaskRunner(
        new HdfsDataStore(fs, NODE, scheduler),
        new TaskRunner.Places(
            directory.resolve("sandboxes"),
            Files.createDirectory(directory.resolve("logs")),
            environment),
        new TaskRunner.Tools(
            transfers, shells, System::nanoTime, new OutputIncastControl(scheduler, NODE)));
  }

  private static TaskOrder order(int set, int files) {
    List<FileSlot> inputs = new ArrayList<>();
    for (int file = 0; file < files; file++) {
      String path = TinyInputs.path(set, file);
      inputs.add(new FileSlot(path.substring(1), path, TinyInputs.BYTES));
    }
    return new TaskOrder(
        "t" + set,
        1,
        "1-1",
        List.of("sh", "-c", "true"),
        inputs,
        List.of(),
        Map.of(),
        false,
        0,
        ResourceNeeds.ONE_CORE);
  }

  private static void print(int set, TaskReport report, Cpu worker, Cpu hdfs) {
    TaskReport.Usage usage = report.usage();
    System.out.printf(
        Locale.ROOT,
        "%d: %.2f; %.2f, %.2f; %.2f  %s%s%n",
        set,
        (usage.stageInLocalMillis() + usage.stageInRemoteMillis()) / 1000.0,
        worker.user(),
        worker.system(),
        hdfs.user() + hdfs.system(),
        report.result(),
        report.message());
  }

  private static String read(String file) throws IOException {
    return Files.readString(Path.of("/proc", file)).strip();
  }

  /** The processor seconds of a process, in user mode and in the kernel. */
  private record Cpu(double user, double system) {

    static Cpu of(String process) throws IOException {
      String stat = read(process + "/stat");
      // The program name comes first and may contain blanks.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return new Cpu(Long.parseLong(fields[11]) / TICKS, Long.parseLong(fields[12]) / TICKS);
    }

    Cpu since(Cpu before) {
      return new Cpu(user - before.user, system - before.system);
    }
  }
}
