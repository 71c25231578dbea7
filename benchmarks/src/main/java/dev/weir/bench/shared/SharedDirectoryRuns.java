package dev.weir.bench.shared;

import dev.weir.bench.measure.ClusterMeter;
import dev.weir.bench.measure.MeasuredRuns;
import dev.weir.bench.measure.RunTimeout;
import dev.weir.bench.measure.StepTimer;
import dev.weir.bench.series.RunSteps;
import dev.weir.bench.series.RunUsage;
import dev.weir.bench.series.WrongResultException;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.NodeInfo;
import dev.weir.cluster.plan.ProgramLookup;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.io.IOUtils;

/**
 * Runs workflows in a directory that all nodes mount by sshfs from the master node, the counterpart
 * of an NFS server. A FIFO dispatcher of the benchmark runs the tasks, one at a time on each node.
 * Not thread-safe.
 */
public final class SharedDirectoryRuns implements AutoCloseable {
  /** The shell command that installs the programs on Debian and its derivatives. */
  public static final String INSTALL = "apt-get install sshfs openssh-server";

  private static final List<String> PROGRAMS =
      List.of("sshfs", "fusermount3", "sshd", "ssh-keygen");

  private final LocalCluster cluster;
  private final Path scratch;
  private final Clock clock;
  private final SftpServer server;
  private int runs;

  private SharedDirectoryRuns(LocalCluster cluster, Path scratch, Clock clock, SftpServer server) {
    this.cluster = cluster;
    this.scratch = scratch;
    this.clock = clock;
    this.server = server;
  }

  /**
   * Starts the server.
   *
   * @param cluster its daemons stay idle
   * @param scratch a local directory for all files
   */
  public static SharedDirectoryRuns start(LocalCluster cluster, Path scratch, Clock clock)
      throws IOException, InterruptedException {
    Path own = scratch.resolve("shared").toAbsolutePath();
    return new SharedDirectoryRuns(cluster, own, clock, SftpServer.start(cluster, own));
  }

  /**
   * Finds missing programs.
   *
   * @param environment the environment with the {@code PATH}
   */
  public static List<String> missing(Map<String, String> environment) {
    return ProgramLookup.missing(PROGRAMS, environment.getOrDefault("PATH", ""));
  }

  /**
   * A workflow to run.
   *
   * @param inputs local directory with its inputs
   * @param standIn whether stand-ins replace its commands
   */
  public record Work(String name, Workflow workflow, Path inputs, boolean standIn) {}

  /**
   * Provides the inputs, mounts the directory on all nodes, runs the tasks, unmounts the directory
   * and removes all files.
   *
   * @param limit the longest duration of the run
   * @throws WrongResultException if an output is missing or has the wrong length
   * @throws IOException if the run fails
   */
  public MeasuredRuns.Measured run(Work work, Duration limit)
      throws IOException, InterruptedException {
    StepTimer timer = StepTimer.begin();
    try (ClusterMeter meter = new ClusterMeter(cluster, 0, clock)) {
      provide(work);
      double provided = timer.next();
      RunRecord record = execute(work, limit);
      double executed = timer.next();
      long bytes = meter.since(record.tasks().get(0).dispatched()).networkBytes();
      RunUsage usage = new RunUsage(bytes, FileUtils.sizeOfDirectory(server.export().toFile()));
      double settled = timer.next();
      requireOutputs(work);
      double checked = timer.next();
      FileUtils.cleanDirectory(server.export().toFile());
      return new MeasuredRuns.Measured(
          record, usage, new RunSteps(provided, 0, executed, settled, checked, timer.next()));
    } finally {
      FileUtils.cleanDirectory(server.export().toFile());
    }
  }

  private void provide(Work work) throws IOException {
    for (DataFile file : work.workflow().files().values()) {
      Files.createDirectories(server.export().resolve(file.id()).getParent());
    }
    for (DataFile input : work.workflow().graph().workflowInputs()) {
      Files.copy(work.inputs().resolve(input.id()), server.export().resolve(input.id()));
    }
  }

  private RunRecord execute(Work work, Duration limit) throws IOException, InterruptedException {
    Instant begin = clock.instant();
    List<MountedSlot> slots = new ArrayList<>();
    List<FifoDispatcher.Execution> tasks;
    try {
      ShellCommands commands = new ShellCommands(work.workflow().graph(), work.standIn());
      for (NodeInfo node : cluster.nodes()) {
        slots.add(MountedSlot.start(cluster, node.name(), server, scratch, commands));
      }
      tasks =
          RunTimeout.within(
              limit,
              work.name() + ", shared",
              () -> slots.forEach(MountedSlot::kill),
              () -> new FifoDispatcher(work.workflow(), clock).run(slots));
    } finally {
      IOUtils.cleanupWithLogger(null, slots.toArray(new MountedSlot[0]));
    }
    List<String> nodes = slots.stream().map(MountedSlot::node).toList();
    return new SharedRunRecord(work.workflow().graph(), server.nodeName(), nodes)
        .of("shared-" + ++runs, tasks, begin, clock.instant());
  }

  private void requireOutputs(Work work) throws IOException {
    for (DataFile output : work.workflow().graph().finalOutputs()) {
      Path file = server.export().resolve(output.id());
      if (!Files.exists(file)) {
        throw new WrongResultException("A run has succeeded without writing " + output.id());
      }
      if (work.standIn() && Files.size(file) != output.sizeBytes()) {
        throw new WrongResultException(
            work.name()
                + ": "
                + output.id()
                + " has "
                + Files.size(file)
                + " bytes instead of "
                + output.sizeBytes());
      }
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
