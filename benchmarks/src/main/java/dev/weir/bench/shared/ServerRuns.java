package dev.weir.bench.shared;

import dev.weir.bench.comparison.ForeignSystem;
import dev.weir.bench.comparison.Subject;
import dev.weir.bench.measure.ClusterMeter;
import dev.weir.bench.measure.MeasuredRuns;
import dev.weir.bench.measure.RunTimeout;
import dev.weir.bench.measure.StepTimer;
import dev.weir.bench.series.RunSteps;
import dev.weir.bench.series.RunUsage;
import dev.weir.bench.series.Setup;
import dev.weir.bench.series.WrongResultException;
import dev.weir.cluster.plan.NodeInfo;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.io.IOUtils;

/**
 * Runs workflows with all files on one server, on the master's node. A FIFO dispatcher of the
 * benchmark runs the tasks, one at a time on each node. Not thread-safe.
 */
final class ServerRuns {
  private final ForeignSystem.Site site;
  private final Path files;
  private int runs;

  /**
   * Creates the runs.
   *
   * @param files the directory that the server serves
   */
  ServerRuns(ForeignSystem.Site site, Path files) {
    this.site = site;
    this.files = files;
  }

  /**
   * Provides the inputs, starts the slots, runs the tasks, stops the slots and removes all files.
   *
   * @param results local directory that receives the results
   * @throws WrongResultException if an output is missing or has the wrong length
   * @throws IOException if the run fails
   */
  MeasuredRuns.Measured run(Subject subject, Setup setup, Path results, NodeSlot.Factory slots)
      throws IOException, InterruptedException {
    StepTimer timer = StepTimer.begin();
    try (ClusterMeter meter = new ClusterMeter(site.cluster(), 0, site.clock())) {
      provide(subject);
      double provided = timer.next();
      RunRecord record = execute(subject, setup, slots);
      double executed = timer.next();
      long bytes = meter.since(record.tasks().get(0).dispatched()).networkBytes();
      RunUsage usage = new RunUsage(bytes, FileUtils.sizeOfDirectory(files.toFile()));
      double settled = timer.next();
      requireOutputs(subject);
      for (String id : subject.results().ids()) {
        Files.createDirectories(results.resolve(id).getParent());
        Files.copy(files.resolve(id), results.resolve(id), StandardCopyOption.REPLACE_EXISTING);
      }
      double fetched = timer.next();
      FileUtils.cleanDirectory(files.toFile());
      return new MeasuredRuns.Measured(
          record, usage, new RunSteps(provided, 0, executed, settled, fetched, timer.next()));
    } finally {
      FileUtils.cleanDirectory(files.toFile());
    }
  }

  private void provide(Subject subject) throws IOException {
    for (DataFile file : subject.workflow().files().values()) {
      Files.createDirectories(files.resolve(file.id()).getParent());
    }
    for (DataFile input : subject.workflow().graph().workflowInputs()) {
      Files.copy(subject.inputs().directory().resolve(input.id()), files.resolve(input.id()));
    }
  }

  private RunRecord execute(Subject subject, Setup setup, NodeSlot.Factory factory)
      throws IOException, InterruptedException {
    Instant begin = site.clock().instant();
    List<NodeSlot> slots = new ArrayList<>();
    List<FifoDispatcher.Execution> tasks;
    try {
      for (NodeInfo node : site.cluster().nodes()) {
        slots.add(factory.start(node.name()));
      }
      tasks =
          RunTimeout.within(
              site.limit(),
              subject.name() + ", " + setup.label(),
              () -> slots.forEach(NodeSlot::kill),
              () -> new FifoDispatcher(subject.workflow(), site.clock()).run(slots));
    } finally {
      IOUtils.cleanupWithLogger(null, slots.toArray(new NodeSlot[0]));
    }
    String server = site.cluster().master().name();
    List<String> nodes = slots.stream().map(NodeSlot::node).toList();
    return new SharedRunRecord(subject.workflow().graph(), setup.label(), server, nodes)
        .of(setup.label() + "-" + ++runs, tasks, begin, site.clock().instant());
  }

  private void requireOutputs(Subject subject) throws IOException {
    for (DataFile output : subject.workflow().graph().finalOutputs()) {
      Path file = files.resolve(output.id());
      if (!Files.exists(file)) {
        throw new WrongResultException("A run has succeeded without writing " + output.id());
      }
      if (subject.programs().standIn() && Files.size(file) != output.sizeBytes()) {
        throw new WrongResultException(
            subject.name()
                + ": "
                + output.id()
                + " has "
                + Files.size(file)
                + " bytes instead of "
                + output.sizeBytes());
      }
    }
  }
}
