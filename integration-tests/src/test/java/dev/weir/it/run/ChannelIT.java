package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.NodeInfo;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.htmlreport.ReportRun;
import dev.weir.workflow.htmlreport.ReportWriter;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.rpc.WorkerRpcServer;
import dev.weir.workflow.rpc.WorkerTokenSecretManager;
import dev.weir.workflow.staging.MasterAddress;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.Credentials;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The channel between an ApplicationMaster and its workers, on a cluster with long YARN timeouts.
 */
@Tag("nightly")
class ChannelIT {
  private static final String SECRET = "Tk7-of-the-users-own-9Qx";
  private static final String LENGTH = "24";
  private static final int NODES = 3;
  private static final int WORKERS = 2;
  private static final Duration STOP_TIME = Duration.ofSeconds(20);
  private static final Duration CUT_TIME = Duration.ofSeconds(30);
  private static final Duration SLACK = Duration.ofSeconds(30);

  private static LocalCluster cluster;

  @TempDir private Path folder;
  private Marks marks;
  private ClusterRuns runs;

  @BeforeAll
  static void start() throws IOException {
    HadoopJars jars = HadoopJars.ofDistribution(Distribution.built().home());
    ClusterSpec spec =
        ClusterSpec.builder(jars)
            .nodes(NODES)
            .hosts(ClusterExtension.hosts())
            .configuration("yarn.nodemanager.log-container-debug-info.enabled", "true")
            .configuration("yarn.nm.liveness-monitor.expiry-interval-ms", "180000")
            .configuration("yarn.am.liveness-monitor.expiry-interval-ms", "180000")
            .build();
    cluster = LocalCluster.start(spec, step -> System.out.println("channel: " + step));
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void open() throws Exception {
    marks = new Marks(folder.resolve("marks"));
    runs = new ClusterRuns(cluster, "channel");
    runs.put("data", ShellWorkflow.inputs());
  }

  @AfterEach
  void close() throws Exception {
    runs.close();
  }

  @Test
  void noSecretIsInReadableFiles() throws Exception {
    marks.open("gen");
    try (LiveRun run = runs.start(withSecret())) {
      marks.awaitBegun("clean", WORKERS);
      Staging staging =
          new Staging(
              (DistributedFileSystem) runs.files().fs(),
              new org.apache.hadoop.fs.Path(
                  runs.files().fs().getHomeDirectory(), ".weir/runs/" + run.id()));
      FileStatus master = runs.files().fs().getFileStatus(staging.file(Staging.MASTER));
      Secret masterKey =
          Secret.fromHex(staging.readJson(Staging.MASTER, MasterAddress.class).secret());
      marks.open("clean");
      RunRecord record = run.end();
      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);

      assertThat(master.getPermission().toShort()).isEqualTo((short) 0600);
      List<Path> logs = logs(run.id());
      assertThat(logs).anyMatch(file -> file.endsWith("launch_container.sh"));
      List<String> secrets = secrets(run.id(), masterKey, logs);
      secrets.add(SECRET);
      assertThat(secrets)
          .as("the secrets of the session and of each container")
          .hasSizeGreaterThan(4);
      for (Path log : logs) {
        assertThat(Files.readString(log, StandardCharsets.ISO_8859_1))
            .as(log.toString())
            .doesNotContain(secrets);
      }
      for (String name : staging.names("")) {
        assertThat(staging.readText(name)).as(name).doesNotContain(secrets);
      }
      assertThat(runs.text("data", "length.txt"))
          .as("the length of the secret in the task")
          .isEqualTo(LENGTH);
      Path report = folder.resolve("report.html");
      ReportWriter.write(List.of(ReportRun.of(record)), report);
      assertThat(Files.readString(report)).doesNotContain(secrets);
      assertThat(Files.readString(recordFile(record))).contains("length").doesNotContain(secrets);
      assertThat(filesOfCluster(ChannelIT::isOfZooKeeper)).isNotEmpty().doesNotContain(secrets);
      // The database writes the record soon after the service has it.
      await().atMost(SLACK).until(() -> filesOfCluster(ChannelIT::isOfDatabase).contains(run.id()));
      assertThat(filesOfCluster(ChannelIT::isOfDatabase)).doesNotContain(secrets);
    }
  }

  private RunRequest withSecret() {
    Workflow workflow =
        ShellWorkflow.from(ShellWorkflow.lines(marks), "lines")
            .task(
                "length",
                "printf %s \"${#API_KEY}\" > length.txt",
                List.of(),
                List.of("length.txt"))
            .build();
    return RunRequest.builder(workflow, runs.path("data", "."))
        .mode(Mode.WEIR)
        .workers(WorkerPlan.DEFAULT.withCount(WORKERS))
        .environment(Map.of("API_KEY", TaskSecrets.reference("API_KEY")))
        .build()
        .withSecrets(new TaskSecrets(Map.of("API_KEY", SECRET)));
  }

  private Path recordFile(RunRecord record) throws IOException {
    Path file = folder.resolve("run.json");
    RunRecordCodec.write(record, file);
    return file;
  }

  private static String filesOfCluster(Predicate<Path> kind) throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(cluster.dir())) {
      for (Path file : files.filter(Files::isRegularFile).filter(kind).toList()) {
        all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    }
    return all.toString();
  }

  /** Snapshots and the log of ZooKeeper hold all values that were ever written. */
  private static boolean isOfZooKeeper(Path file) {
    return file.toString().contains("/zookeeper/version-2/");
  }

  /** The provenance database of the hints service. */
  private static boolean isOfDatabase(Path file) {
    return file.toString().endsWith(".mv.db");
  }

  private static List<Path> logs(String application) throws IOException {
    List<Path> all = new ArrayList<>();
    for (NodeInfo node : cluster.nodes()) {
      Path logs = cluster.containerLogs(node.name()).resolve(application);
      if (Files.isDirectory(logs)) {
        try (Stream<Path> files = Files.walk(logs)) {
          files.filter(Files::isRegularFile).forEach(all::add);
        }
      }
    }
    return all;
  }

  /** All secrets of the session's processes. */
  private static List<String> secrets(String application, Secret masterKey, List<Path> logs) {
    List<String> secrets = new ArrayList<>();
    secrets.add(masterKey.toHex());
    secrets.add(WorkerRpcServer.cacheSecret(masterKey).toHex());
    WorkerTokenSecretManager tokens = new WorkerTokenSecretManager(application, masterKey);
    logs.stream()
        .map(file -> String.valueOf(file.getParent().getFileName()))
        .distinct()
        .forEach(
            container -> {
              Credentials credentials = new Credentials();
              tokens.addToken(container, credentials);
              credentials
                  .getAllSecretKeys()
                  .forEach(
                      key ->
                          secrets.add(
                              new String(credentials.getSecretKey(key), StandardCharsets.UTF_8)));
            });
    return secrets;
  }

  @Test
  void aStoppedApplicationMasterCostsNoRunningTask() throws Exception {
    marks.open("gen");
    try (LiveRun run = runs.start(ShellWorkflow.lines(marks), Mode.WEIR, "data", WORKERS)) {
      marks.awaitBegun("clean", WORKERS);
      ProcessHandle master = Processes.containing(Processes.MASTER, run.id());

      signal("STOP", master);
      awaitRunning(STOP_TIME);
      signal("CONT", master);

      assertEndsWithoutLoss(run);
    }
  }

  @Test
  void aCutLinkCostsNoRunningTask() throws Exception {
    marks.open("gen");
    try (LiveRun run = runs.start(ShellWorkflow.lines(marks), Mode.WEIR, "data", WORKERS)) {
      marks.awaitBegun("clean", WORKERS);
      String masterNode = Processes.node(Processes.containing(Processes.MASTER, run.id()), cluster);
      String node = "";
      for (Marks.Begun begun : marks.begun("clean")) {
        String workerNode =
            Processes.node(Processes.ancestor(begun.pid(), Processes.WORKER), cluster);
        node = workerNode.equals(masterNode) ? node : workerNode;
      }
      assertThat(node).as("node of a worker that is not on " + masterNode).isNotEmpty();

      cluster.cutLink(node);
      try {
        awaitRunning(CUT_TIME);
      } finally {
        cluster.healLink(node);
      }

      assertEndsWithoutLoss(run);
    }
  }

  private static void signal(String signal, ProcessHandle process) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start();
    assertThat(kill.waitFor()).isZero();
  }

  /** Checks that both waiting commands stay alive for a time. */
  private void awaitRunning(Duration time) throws IOException {
    List<Marks.Begun> waiting = marks.begun("clean");
    await()
        .during(time)
        .atMost(time.plus(SLACK))
        .until(() -> waiting.stream().noneMatch(begun -> Processes.hasEnded(begun.pid())));
  }

  private void assertEndsWithoutLoss(LiveRun run) throws Exception {
    marks.open("clean");
    RunRecord record = run.end();
    assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
    assertThat(record.workers()).hasSize(WORKERS);
    assertThat(record.tasks()).allMatch(attempt -> attempt.outcome() == Outcome.SUCCEEDED);
    assertThat(runs.text("data", "final.txt").lines()).hasSize(ShellWorkflow.WIDTH);
  }
}
