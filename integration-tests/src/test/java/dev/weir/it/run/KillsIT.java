package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.process.DaemonStatus;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.staging.IntermediateStore;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each test kills one process during a run. The run must produce the same bytes as an undisturbed
 * one. The DataNode and the NodeManager of a node are separate processes here. {@link
 * ResourceManagerIT} kills the ResourceManager.
 */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KillsIT {

  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final int NODES = 3;
  private static final int WORKERS = 2;

  private Path folder;
  private LocalCluster cluster;
  private ClusterRuns runs;
  private Map<String, String> undisturbed;
  private Set<String> names;

  /** A fault that occurs while each worker runs a task and intermediate files exist. */
  @FunctionalInterface
  private interface Fault {
    void occur(LiveRun run, Marks marks) throws Exception;
  }

  /** A successful run. */
  private record Ran(Workflow workflow, RunRecord record, Marks marks) {

    List<Outcome> outcomes(String task) {
      return record.tasks().stream()
          .filter(attempt -> attempt.task().equals(task))
          .map(TaskRecord::outcome)
          .toList();
    }

    void assertNoTaskStartedTwice() throws Exception {
      assertThat(marks.begun("")).extracting(Marks.Begun::task).doesNotHaveDuplicates();
    }
  }

  @BeforeAll
  void start(@TempDir Path temporary) throws Exception {
    folder = temporary;
    HadoopJars jars = HadoopJars.ofDistribution(Distribution.built().home());
    ClusterSpec spec =
        ClusterSpec.builder(jars)
            .nodes(NODES)
            .hosts(ClusterExtension.hosts())
            .splitNodes(true)
            .build();
    cluster = LocalCluster.start(spec, step -> System.out.println("split nodes: " + step));
    runs = new ClusterRuns(cluster, "kills");
    Ran ran = run("undisturbed", RunOptions.DEFAULT, (run, marks) -> {});
    ran.assertNoTaskStartedTwice();
    undisturbed = runs.results(ran.workflow(), "undisturbed");
    names = runs.names("undisturbed");
    assertThat(undisturbed).hasSize(5);
  }

  @AfterEach
  void restartDaemons() throws Exception {
    for (DaemonStatus daemon : cluster.status().daemons()) {
      cluster.startDaemon(daemon.name());
    }
    await("all nodes")
        .atMost(DEADLINE)
        .until(
            () ->
                cluster.status().liveDataNodes() == NODES
                    && cluster.status().activeNodeManagers() == NODES);
  }

  @AfterAll
  void stop() throws Exception {
    if (runs != null) {
      runs.files().fs().close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void killsAWorker() throws Exception {
    Ran ran =
        disturbed(
            "worker",
            (run, marks) -> {
              Marks.Begun victim = marks.begun("hold").get(0);
              worker(victim).destroyForcibly();
              awaitSecondAttempt(victim, marks);
            });

    assertThat(ran.outcomes(ran.marks().begun("hold").get(0).task()))
        .containsExactly(Outcome.LOST, Outcome.SUCCEEDED);
    assertThat(ran.record().workers()).hasSize(WORKERS + 1);
  }

  @Test
  void killsANodeManagerWhoseWorkerKeepsRunning() throws Exception {
    Ran ran =
        disturbed(
            "node-manager",
            (run, marks) -> {
              Marks.Begun victim = awayFromMaster(run, marks);
              ProcessHandle worker = worker(victim);

              cluster.stopDaemon(Processes.node(worker, cluster) + "-nodemanager");

              // YARN considers the node lost, so the run gives up a live worker, and stops it when
              // it reconnects.
              awaitSecondAttempt(victim, marks);
              awaitEnd("the worker that YARN has given up", worker);
            });

    assertOneWorkerLost(ran);
    assertThat(ran.record().tasks())
        .as("the task that was started again")
        .filteredOn(task -> task.outcome() == Outcome.LOST)
        .hasSize(1)
        .allMatch(task -> task.task().startsWith("hold"));
  }

  /** A restarted NodeManager deletes its directories, also those of a running worker. */
  @Test
  void restartsANodeManager() throws Exception {
    Ran ran =
        disturbed(
            "node-manager-again",
            (run, marks) -> {
              Marks.Begun victim = awayFromMaster(run, marks);
              ProcessHandle worker = worker(victim);
              String nodeManager = Processes.node(worker, cluster) + "-nodemanager";

              cluster.stopDaemon(nodeManager);
              cluster.startDaemon(nodeManager);

              awaitSecondAttempt(victim, marks);
              awaitEnd("the worker that YARN has given up", worker);
            });

    assertOneWorkerLost(ran);
  }

  private static void assertOneWorkerLost(Ran ran) throws Exception {
    assertThat(ran.marks().begun("gen")).as("finished tasks").hasSize(ShellWorkflow.WIDTH);
    assertThat(ran.record().workers()).hasSize(WORKERS + 1);
  }

  /** A task whose worker is not on the ApplicationMaster's node. */
  private Marks.Begun awayFromMaster(LiveRun run, Marks marks) throws Exception {
    String masterNode = Processes.node(master(run), cluster);
    return marks.begun("hold").stream()
        .filter(begun -> !Processes.node(worker(begun), cluster).equals(masterNode))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void killsTheNodeManagerOfTheApplicationMaster() throws Exception {
    Ran ran =
        disturbed(
            "node-manager-of-master",
            (run, marks) -> {
              ProcessHandle master = master(run);

              cluster.stopDaemon(Processes.node(master, cluster) + "-nodemanager");

              awaitSecondMaster(run);
              awaitEnd("the first ApplicationMaster", master);
            });

    assertThat(ran.marks().begun("gen")).as("finished tasks").hasSize(ShellWorkflow.WIDTH);
  }

  @Test
  void killsTheOnlyDataNodeOfIntermediateFiles() throws Exception {
    Ran ran =
        disturbed(
            "data-node",
            RunOptions.DEFAULT.with(IntermediateStore.HDFS),
            (run, marks) -> {
              List<String> hosts = runs.files().hosts(runs.path("data-node", "raw/r0"));
              assertThat(hosts).hasSize(1);

              cluster.stopDaemon(hosts.get(0) + "-datanode");
            });

    assertThat(ran.outcomes("gen0")).containsExactly(Outcome.SUCCEEDED, Outcome.SUCCEEDED);
    assertThat(ran.record().workers()).as("workers; none was lost").hasSize(WORKERS);
  }

  @Test
  void killsTheApplicationMaster() throws Exception {
    Ran ran =
        disturbed(
            "master",
            (run, marks) -> {
              ProcessHandle master = master(run);

              master.destroyForcibly();

              awaitEnd("the first ApplicationMaster", master);
              awaitSecondMaster(run);
            });

    ran.assertNoTaskStartedTwice();
    assertThat(ran.record().workers())
        .as("workers of the first ApplicationMaster")
        .hasSize(WORKERS);
  }

  @Test
  void killsTheHintsService() throws Exception {
    Ran ran = disturbed("hints", (run, marks) -> cluster.stopDaemon("hints"));

    ran.assertNoTaskStartedTwice();
  }

  /** Runs the workflow with a fault, and compares its results. */
  private Ran disturbed(String data, Fault fault) throws Exception {
    return disturbed(data, RunOptions.DEFAULT, fault);
  }

  private Ran disturbed(String data, RunOptions choices, Fault fault) throws Exception {
    Ran ran = run(data, choices, fault);
    assertThat(runs.results(ran.workflow(), data)).isEqualTo(undisturbed);
    assertThat(runs.names(data)).as("files in the data directory").isEqualTo(names);
    return ran;
  }

  private Ran run(String data, RunOptions choices, Fault fault) throws Exception {
    Marks marks = new Marks(folder.resolve(data));
    Workflow workflow = ShellWorkflow.woven(marks);
    runs.put(data, ShellWorkflow.inputs());
    marks.open("gen");
    try (LiveRun run = runs.start(workflow, Mode.WEIR, data, WORKERS, choices)) {
      marks.awaitBegun("hold", WORKERS);
      fault.occur(run, marks);
      marks.open("hold");
      RunRecord record = run.end();
      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      return new Ran(workflow, record, marks);
    }
  }

  private static ProcessHandle master(LiveRun run) {
    return Processes.containing(Processes.MASTER, run.id());
  }

  private static ProcessHandle worker(Marks.Begun task) {
    return Processes.ancestor(task.pid(), Processes.WORKER);
  }

  private static void awaitEnd(String what, ProcessHandle process) {
    await("end of " + what).atMost(DEADLINE).until(() -> Processes.hasEnded(process.pid()));
  }

  /** Waits until the first attempt of a task has ended and the second has begun. */
  private static void awaitSecondAttempt(Marks.Begun first, Marks marks) {
    await("end of " + first).atMost(DEADLINE).until(() -> Processes.hasEnded(first.pid()));
    await("second attempt of " + first.task())
        .atMost(DEADLINE)
        .until(() -> marks.begun(first.task()).size() == 2);
  }

  private void awaitSecondMaster(LiveRun run) {
    await("the second ApplicationMaster")
        .atMost(DEADLINE)
        .until(
            () -> {
              ApplicationReport report = runs.report(run);
              return report.getYarnApplicationState() == YarnApplicationState.RUNNING
                  && report.getCurrentApplicationAttemptId().getAttemptId() == 2;
            });
  }
}
