package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationTimeoutType;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What administrators of YARN ask of an application, and what YARN enforces. The node n1 has a
 * label.
 */
@Tag("nightly")
class YarnOptionsIT {
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  @TempDir private static Path excluded;
  @TempDir private Path folder;

  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Path exclude = Files.createFile(excluded.resolve("exclude"));
    ClusterSpec.Builder spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
            .nodes(3)
            .hosts(ClusterExtension.hosts())
            .configuration("yarn.resourcemanager.nodes.exclude-path", exclude.toString())
            .configuration("yarn.nodemanager.pmem-check-enabled", "true")
            // By default YARN leaves the memory of containers to the kernel's control groups.
            .configuration("yarn.nodemanager.resource.memory.enforced", "false")
            .configuration("yarn.nodemanager.container-monitor.interval-ms", "500");
    cluster =
        LocalCluster.start(
            YarnOptions.allow(spec).build(), step -> System.out.println("options: " + step));
    admin("-addToClusterNodeLabels", YarnOptions.LABEL);
    admin("-replaceLabelsOnNode", "n1=" + YarnOptions.LABEL);
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void theApplicationHasWhatItsUserAskedFor() throws Exception {
    Path file = folder.resolve("one.makeflow");
    Files.writeString(file, "a.out:\n\techo a > a.out\n\nb.out: a.out\n\tcat a.out > b.out\n");

    Process run = start(file, "out", YarnOptions.after());

    assertThat(run.waitFor()).as(output()).isZero();
    assertIsAsAsked(onlyReport("one (weir)"));
    assertThat(nodes(record())).containsOnly("n1");
  }

  private static void assertIsAsAsked(ApplicationReport report) {
    assertThat(report.getQueue()).endsWith("default");
    assertThat(report.getPriority().getPriority()).isEqualTo(3);
    assertThat(report.getAppNodeLabelExpression()).isEqualTo(YarnOptions.LABEL);
    assertThat(report.getApplicationTags()).contains("night");
    assertThat(report.getApplicationTimeouts()).containsKey(ApplicationTimeoutType.LIFETIME);
    assertThat(report.getRpcPort()).matches(YarnOptions::isPortOfMaster, "is in the range");
  }

  @Test
  void aNodeThatIsDecommissionedGetsNoNewTask() throws Exception {
    Path begun = Files.createDirectory(folder.resolve("begun"));
    Path gate = folder.resolve("gate");
    StringBuilder tasks = new StringBuilder();
    for (String task : List.of("a", "b")) {
      tasks.append(
          "%1$s.out:\n\ttouch %2$s/%1$s; until [ -e %3$s ]; do sleep 0.2; done; echo > %1$s.out\n\n"
              .formatted(task, begun, gate));
    }
    for (int i = 0; i < 6; i++) {
      tasks.append("later%d.out: a.out b.out\n\tcat a.out b.out > later%<d.out\n\n".formatted(i));
    }
    Path file = folder.resolve("leaves.makeflow");
    Files.writeString(file, tasks);
    Process run = start(file, "out", "--workers", "2", "--look-ahead", "0");
    try {
      await()
          .atMost(DEADLINE)
          .until(() -> Files.exists(begun.resolve("a")) && Files.exists(begun.resolve("b")));

      Files.writeString(excluded.resolve("exclude"), "n3\n");
      admin("-refreshNodes", "-g", "600", "-server");
      await("the ApplicationMaster")
          .atMost(DEADLINE)
          .until(() -> containerLogs().contains("n3:8041 is DECOMMISSIONING"));
      Files.createFile(gate);

      assertThat(run.waitFor()).as(output()).isZero();
    } finally {
      run.destroy();
    }
    RunRecord record = record();
    assertThat(nodes(record)).contains("n3");
    assertThat(
            record.tasks().stream().filter(task -> task.type().equals("cat")).map(TaskRecord::node))
        .isNotEmpty()
        .containsOnly("n2");
  }

  @Test
  void aTaskEndsAtItsTimeLimit() throws Exception {
    Path file = folder.resolve("slow.makeflow");
    Files.writeString(file, "slow.out:\n\tsleep 600; touch slow.out\n");

    Process run = start(file, "out", "--task-timeout", "2s");

    assertThat(run.waitFor()).as(output()).isNotZero();
    assertThat(output()).contains("ran longer than its time limit of 2 s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"own.json", "own.jx"})
  void aTasksOwnTimeLimitPrecedesThatOfTheRun(String name) throws Exception {
    Path file = folder.resolve(name);
    String command = "sleep 600; touch slow.out";
    if (name.endsWith(".jx")) {
      Files.writeString(
          file,
          """
          {"rules": [{"command": "%s", "outputs": ["slow.out"], "resources": {"wall-time": 2}}]}
          """
              .formatted(command));
    } else {
      ShellWorkflow own = new ShellWorkflow("own");
      own.task("slow", command, List.of(), List.of("slow.out"), new TaskNeeds(0, 0, 0, 2, false));
      WfFormatWriter.write(own.build(), file);
    }

    Process run = start(file, "out", "--task-timeout", "1h");

    assertThat(run.waitFor()).as(output()).isNotZero();
    assertThat(output()).contains("ran longer than its time limit of 2 s");
  }

  @Test
  void aTaskThatExceedsItsMemoryFailsWithWhatItUsedAndTheRemedy() throws Exception {
    Path file = folder.resolve("hungry.makeflow");
    Files.writeString(
        file, "tail.out:\n\t(head -c 1400m /dev/zero; sleep 600) | tail -n 1 > tail.out\n");

    Process run = start(file, "out", "--workers", "1", "--worker-memory", "768");

    assertThat(run.waitFor()).as(output()).isNotZero();
    Shell.Ran status = new Shell(cluster, folder).weir("status", record().runId());
    for (String shown :
        List.of(output(), status.toString(), Files.readString(folder.resolve("out/report.html")))) {
      assertThat(shown)
          .contains("used more memory than it has")
          .containsPattern("[\\d.]+ [GM]B of 1 GB physical memory used")
          .contains("declare the memory that the task needs", "--worker-memory");
    }
    assertThat(record().tasks())
        .hasSizeGreaterThan(1)
        .allSatisfy(attempt -> assertThat(attempt.message()).contains("physical memory used"));
  }

  @Test
  void aTaskThatExceedsTheMemoryOfAWorkerIsRetriedWithMore() throws Exception {
    Path file = folder.resolve("grows.makeflow");
    Files.writeString(
        file,
        "tail.out:\n\t(head -c 700m /dev/zero; sleep 5) | tail -n 1 | head -c 1 > tail.out\n");

    Process run = start(file, "out", "--workers", "1", "--worker-memory", "768");

    assertThat(run.waitFor()).as(output()).isZero();
    assertThat(record().tasks())
        .extracting(TaskRecord::outcome)
        .containsExactly(Outcome.LOST, Outcome.SUCCEEDED);
  }

  @Test
  void aDataDirectoryIsOfOneRunAtATime() throws Exception {
    try (BlockedRun first = blockedRun("--data", "/locked")) {
      first.awaitBegun();
      Path file = folder.resolve("waits.makeflow");

      Shell.Ran refused = Shell.run(command(file, "second", "--data", "/locked"), Map.of(), folder);

      assertThat(refused.code()).as(refused.toString()).isNotZero();
      assertThat(refused.toString()).contains("writes into").contains("--data");
      first.open();
      assertThat(first.end()).as(first.output()).isZero();
    }
  }

  @Test
  void processesListenInTheirRangesOnly() throws Exception {
    try (BlockedRun run = blockedRun("--workers", "2", "--data", "ports")) {
      run.awaitBegun();

      Set<Integer> master = ListeningPorts.of(Processes.containing(Processes.MASTER, run.id()));
      Set<Integer> workers = new TreeSet<>();
      for (ProcessHandle worker : Processes.allContaining(Processes.WORKER, run.id()).toList()) {
        workers.addAll(ListeningPorts.of(worker));
      }
      run.open();

      assertThat(run.end()).as(run.output()).isZero();
      assertThat(master).isNotEmpty().allMatch(YarnOptions::isPortOfMaster);
      assertThat(workers).isNotEmpty().allMatch(YarnOptions::isPortOfWorker);
    }
  }

  @Test
  void theTrackingUrlLeadsToTheLivePageAndThenToTheApplication() throws Exception {
    try (BlockedRun run = blockedRun("--data", "tracked")) {
      run.awaitBegun();
      String tracking = report(ApplicationId.fromString(run.id())).getTrackingUrl();
      assertThat(tracking).endsWith(":8088/proxy/" + run.id() + "/");

      HttpResponse<String> live = get(tracking);
      run.open();

      assertThat(live.statusCode()).as(live.body()).isEqualTo(200);
      assertThat(live.body()).contains("Workflow waits", run.id());
      assertThat(run.end()).as(run.output()).isZero();
      String next = get(tracking).headers().firstValue("Location").orElseThrow();
      assertThat(next).endsWith(":8088/cluster/app/" + run.id());
      assertThat(get(next).body()).contains("waits (weir)", "SUCCEEDED");
    }
  }

  /** Gets a page of the ResourceManager, whose name is unknown to this process. */
  private static HttpResponse<String> get(String url) throws Exception {
    String manager = cluster.configuration().get(YarnConfiguration.RM_WEBAPP_ADDRESS);
    URI page = URI.create("http://" + manager + URI.create(url).getPath());
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString());
  }

  @Test
  void aSessionHasWhatItsUserAskedFor() throws Exception {
    Shell shell = new Shell(cluster, folder);
    Shell.Ran started =
        shell.weir(YarnOptions.after("session", "start", "--name", "asked", "--workers", "1"));
    assertThat(started.code()).as(started.toString()).isZero();
    String id = started.out().strip();
    try {
      assertIsAsAsked(report(ApplicationId.fromString(id)));
    } finally {
      Shell.Ran stopped = shell.weir("session", "stop", id);
      assertThat(stopped.code()).as(stopped.toString()).isZero();
    }
  }

  @Test
  void anUpgradedToolRunsItsTasksAgain() throws Exception {
    Path tool = folder.resolve("tool");
    Files.writeString(tool, "#!/bin/sh\necho one\n");
    assertThat(tool.toFile().setExecutable(true)).isTrue();
    Path file = folder.resolve("tools.makeflow");
    Files.writeString(file, "a.out:\n\t%s > a.out\n".formatted(tool));

    assertThat(ranInto("first", file)).hasSize(1);
    assertThat(ranInto("second", file)).isEmpty();
    Files.writeString(tool, "#!/bin/sh\necho another version\n");
    assertThat(ranInto("third", file)).hasSize(1);
  }

  @Test
  void aChangedFileOfVariablesRunsItsTasksAgain() throws Exception {
    Path variables = Files.writeString(folder.resolve("variables"), "TOOL_VERSION=1\n");
    Path file = folder.resolve("variables.makeflow");
    Files.writeString(file, "v.out:\n\techo \\$TOOL_VERSION > v.out\n");
    String[] options = {"--env-file", variables.toString()};

    assertThat(ranInto("first", file, options)).hasSize(1);
    assertThat(ranInto("second", file, options)).isEmpty();
    Files.writeString(variables, "TOOL_VERSION=2\n");
    assertThat(ranInto("third", file, options)).hasSize(1);
  }

  /** Runs a workflow, and returns the attempts that were needed. */
  private List<TaskRecord> ranInto(String out, Path file, String... options) throws Exception {
    Path directory = folder.resolve(out);
    List<String> all = new ArrayList<>(List.of("--data", "/tools"));
    all.addAll(List.of(options));
    Process run = start(file, out, all.toArray(String[]::new));
    assertThat(run.waitFor()).as(output()).isZero();
    Path record = directory.resolve("run.json");
    return RunRecordCodec.fromJson(Files.readString(record), record.toString()).tasks();
  }

  private static Set<String> nodes(RunRecord record) {
    return record.tasks().stream().map(TaskRecord::node).collect(Collectors.toSet());
  }

  private RunRecord record() throws IOException {
    Path file = folder.resolve("out/run.json");
    return RunRecordCodec.fromJson(Files.readString(file), file.toString());
  }

  private static ApplicationReport onlyReport(String name) throws Exception {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(cluster.configuration());
      yarn.start();
      List<ApplicationReport> named =
          yarn.getApplications().stream().filter(app -> app.getName().equals(name)).toList();
      assertThat(named).hasSize(1);
      return yarn.getApplicationReport(named.get(0).getApplicationId());
    }
  }

  private static ApplicationReport report(ApplicationId id) throws Exception {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(cluster.configuration());
      yarn.start();
      return yarn.getApplicationReport(id);
    }
  }

  private BlockedRun blockedRun(String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of("--cluster", cluster.dir().toString()));
    all.addAll(List.of(options));
    return new BlockedRun(folder, Map.of(), all.toArray(String[]::new));
  }

  private static String containerLogs() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(cluster.dir().resolve("nodes"))) {
      files
          .filter(file -> file.endsWith("syslog"))
          .forEach(
              file -> {
                try {
                  all.append(Files.readString(file));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
    return all.toString();
  }

  private static void admin(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(Distribution.built().weir().toString()));
    command.addAll(List.of("cluster", "yarn", "--dir", cluster.dir().toString(), "rmadmin"));
    command.addAll(List.of(arguments));
    Shell.Ran ran = Shell.run(command, Map.of(), excluded);
    assertThat(ran.code()).as(ran.toString()).isZero();
  }

  /** Returns the command that runs a workflow; its record is in a directory of the folder. */
  private List<String> command(Path file, String out, String... options) {
    List<String> command = new ArrayList<>(List.of(Distribution.built().weir().toString()));
    command.addAll(List.of("run", file.toString(), "--out", folder.resolve(out).toString()));
    command.addAll(List.of("--cluster", cluster.dir().toString()));
    command.addAll(List.of(options));
    return command;
  }

  private Process start(Path file, String out, String... options) throws IOException {
    return new ProcessBuilder(command(file, out, options))
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output.txt").toFile())
        .start();
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("output.txt"));
  }
}
