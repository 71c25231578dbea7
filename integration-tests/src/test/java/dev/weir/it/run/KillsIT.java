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
import dev.weir.workflow.staging.Mode;
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
 * One process is killed in the middle of a run, each time another one and no other: the run comes
 * to the same bytes as one that nothing befell. The DataNode and the NodeManager of a node are
 * processes of their own here. {@link ResourceManagerIT} kills the ResourceManager.
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

  /** What happens while each worker is in the midst of a task, and files of others lie about. */
  @FunctionalInterface
  private interface Blow {
    void fall(LiveRun run, Marks marks) throws Exception;
  }

  /** A run that has succeeded. */
  private record Ran(Workflow workflow, RunRecord record, Marks marks) {

    List<Outcome> outcomes(String task) {
      return record.tasks().stream()
          .filter(attempt -> attempt.task().equals(task))
          .map(TaskRecord::outcome)
          .toList();
    }

    void hasBegunNothingTwice() throws Exception {
      assertThat(marks.begun("")).extracting(Marks.Begun::task).doesNotHaveDuplicates();
    }
  }

  @BeforeAll
  void start(@TempDir Path markedIn) throws Exception {
    folder = markedIn;
    HadoopJars jars = HadoopJars.ofDistribution(Distribution.built().home());
    ClusterSpec spec =
        ClusterSpec.builder(jars)
            .nodes(NODES)
            .hosts(ClusterExtension.hosts())
            .splitNodes(true)
            .build();
    cluster = LocalCluster.start(spec, step -> System.out.println("split nodes: " + step));
    runs = new ClusterRuns(cluster, "kills");
    Ran ran = run("undisturbed", (run, marks) -> {});
    ran.hasBegunNothingTwice();
    undisturbed = runs.results(ran.workflow(), "undisturbed");
    names = runs.names("undisturbed");
    assertThat(undisturbed).hasSize(5);
  }

  @AfterEach
  void startWhatWasKilled() throws Exception {
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
  void aWorker() throws Exception {
    Ran ran =
        disturbed(
            "worker",
            (run, marks) -> {
              Marks.Begun victim = marks.begun("hold").get(0);
              worker(victim).destroyForcibly();
              awaitAnother(victim, marks);
            });

    assertThat(ran.outcomes(ran.marks().begun("hold").get(0).task()))
        .containsExactly(Outcome.LOST, Outcome.SUCCEEDED);
    assertThat(ran.record().workers()).hasSize(WORKERS + 1);
  }

  @Test
  void aNodeManagerWhoseWorkerRunsOn() throws Exception {
    Ran ran =
        disturbed(
            "node-manager",
            (run, marks) -> {
              Marks.Begun victim = awayFromMaster(run, marks);
              ProcessHandle worker = worker(victim);

              cluster.stopDaemon(Processes.node(worker, cluster) + "-nodemanager");

              // YARN gives up the node, so the run gives up a worker that is there, and sends it
              // away when it comes back.
              awaitAnother(victim, marks);
              awaitEnd("the worker that YARN has given up", worker);
            });

    hasLostOneWorker(ran);
    assertThat(ran.record().tasks())
        .as("the one that was begun again")
        .filteredOn(task -> task.outcome() == Outcome.LOST)
        .hasSize(1)
        .allMatch(task -> task.task().startsWith("hold"));
  }

  /** It clears its directories, with those of a worker that runs on. */
  @Test
  void aNodeManagerThatIsStartedAgainAtOnce() throws Exception {
    Ran ran =
        disturbed(
            "node-manager-again",
            (run, marks) -> {
              Marks.Begun victim = awayFromMaster(run, marks);
              ProcessHandle worker = worker(victim);
              String nodeManager = Processes.node(worker, cluster) + "-nodemanager";

              cluster.stopDaemon(nodeManager);
              cluster.startDaemon(nodeManager);

              awaitAnother(victim, marks);
              awaitEnd("the worker that YARN has given up", worker);
            });

    hasLostOneWorker(ran);
  }

  private static void hasLostOneWorker(Ran ran) throws Exception {
    assertThat(ran.marks().begun("gen")).as("finished tasks").hasSize(ShellWorkflow.WIDTH);
    assertThat(ran.record().workers()).hasSize(WORKERS + 1);
  }

  /** A task whose worker is on another node than the ApplicationMaster. */
  private Marks.Begun awayFromMaster(LiveRun run, Marks marks) throws Exception {
    String busy = Processes.node(master(run), cluster);
    return marks.begun("hold").stream()
        .filter(begun -> !Processes.node(worker(begun), cluster).equals(busy))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theNodeManagerWhoseApplicationMasterRunsOn() throws Exception {
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
  void aDataNodeThatAloneHadFilesInBetween() throws Exception {
    Ran ran =
        disturbed(
            "data-node",
            (run, marks) -> {
              List<String> hosts = runs.files().hosts(runs.path("data-node", "raw/r0"));
              assertThat(hosts).hasSize(1);

              cluster.stopDaemon(hosts.get(0) + "-datanode");
            });

    assertThat(ran.outcomes("gen0")).containsExactly(Outcome.SUCCEEDED, Outcome.SUCCEEDED);
    assertThat(ran.record().workers()).as("none was lost with it").hasSize(WORKERS);
  }

  @Test
  void theApplicationMaster() throws Exception {
    Ran ran =
        disturbed(
            "master",
            (run, marks) -> {
              ProcessHandle master = master(run);

              master.destroyForcibly();

              awaitEnd("the first ApplicationMaster", master);
              awaitSecondMaster(run);
            });

    ran.hasBegunNothingTwice();
    assertThat(ran.record().workers()).as("those of the first one").hasSize(WORKERS);
  }

  @Test
  void theHintsService() throws Exception {
    Ran ran = disturbed("hints", (run, marks) -> cluster.stopDaemon("hints"));

    ran.hasBegunNothingTwice();
  }

  /** Runs the workflow, and compares what comes of it. */
  private Ran disturbed(String data, Blow blow) throws Exception {
    Ran ran = run(data, blow);
    assertThat(runs.results(ran.workflow(), data)).isEqualTo(undisturbed);
    assertThat(runs.names(data)).as("nothing is left beside the files").isEqualTo(names);
    return ran;
  }

  private Ran run(String data, Blow blow) throws Exception {
    Marks marks = new Marks(folder.resolve(data));
    Workflow workflow = ShellWorkflow.woven(marks);
    runs.put(data, ShellWorkflow.inputs());
    marks.open("gen");
    try (LiveRun run = runs.start(workflow, Mode.WEIR, data, WORKERS)) {
      marks.awaitBegun("hold", WORKERS);
      blow.fall(run, marks);
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

  /** Waits until a task has been begun again, and what was begun at first has ended. */
  private static void awaitAnother(Marks.Begun first, Marks marks) {
    await("end of " + first).atMost(DEADLINE).until(() -> Processes.hasEnded(first.pid()));
    await("another beginning of " + first.task())
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
