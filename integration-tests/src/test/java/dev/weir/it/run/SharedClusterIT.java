package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.it.yarn.TestApplication;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.WorkerRecord;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Resource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs beside another application: two queues with preemption, a full node, other users. */
@Tag("nightly")
class SharedClusterIT {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final String MONITOR = "yarn.resourcemanager.monitor.capacity.preemption.";
  private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");
  private static final int SMALL_MEGABYTES = 512;
  private static final Resource NODE = Resource.newInstance(1536, 1);
  private static final Resource WORKER = Resource.newInstance(1024, 1);

  /** A task fails with its tenth lost worker, unless the losses do not count. */
  private static final int PREEMPTIONS = 11;

  private static LocalCluster cluster;
  private static ClusterRuns runs;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    String user = System.getProperty("user.name");
    cluster =
        LocalCluster.start(
            ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
                .nodes(3)
                .hosts(ClusterExtension.hosts())
                .configuration("yarn.resourcemanager.scheduler.monitor.enable", "true")
                .configuration(MONITOR + "monitoring_interval", "500")
                .configuration(MONITOR + "max_wait_before_kill", "1500")
                .configuration(MONITOR + "total_preemption_per_round", "1.0")
                .configuration(MONITOR + "natural_termination_factor", "1.0")
                .configuration(MONITOR + "max_ignored_over_capacity", "0.0")
                .configuration("yarn.scheduler.capacity.root.default.user-limit-factor", "10")
                .configuration("yarn.acl.enable", "true")
                .configuration("yarn.admin.acl", user)
                .configuration("yarn.scheduler.capacity.root.acl_administer_queue", user)
                // The other application sends heartbeats only while it waits for a container.
                .configuration("yarn.am.liveness-monitor.expiry-interval-ms", "600000")
                .build(),
            step -> System.out.println("shared: " + step));
    // The run exceeds the share of its queue, and the other application does not.
    var unused = new ScienceQueue(cluster, 70);
    runs = new ClusterRuns(cluster, "shared");
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void aTaskIsPreemptedMoreOftenThanItMayLoseItsWorker() throws Exception {
    Marks marks = new Marks(folder.resolve("marks"));
    marks.open("gen");
    Workflow workflow = ShellWorkflow.woven(marks);
    runs.put("preempted", ShellWorkflow.inputs());
    RunRecord record;
    try (TestApplication other = TestApplication.start(cluster.configuration(), "science")) {
      Container full = other.holdOn("n3", NODE);
      try (LiveRun run = runs.start(workflow, Mode.WEIR, "preempted", 2)) {
        for (int begun = 2; mostAttempts(marks) <= PREEMPTIONS; begun++) {
          marks.awaitBegun("hold", begun);
          other.release(other.hold(WORKER));
        }
        marks.open("hold");
        record = run.end();
        assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      }
      other.release(full);
    }

    assertThat(record.tasks())
        .filteredOn(task -> task.outcome() != Outcome.SUCCEEDED)
        .hasSizeGreaterThanOrEqualTo(PREEMPTIONS)
        .allMatch(task -> task.outcome() == Outcome.LOST && task.type().equals("hold"))
        .allMatch(task -> task.message().contains("preempted"));
    assertThat(runs.results(workflow, "preempted")).isEqualTo(undisturbed());
  }

  private static int mostAttempts(Marks marks) throws IOException {
    return marks.begun("hold").stream()
        .collect(Collectors.groupingBy(Marks.Begun::task, Collectors.counting()))
        .values()
        .stream()
        .mapToInt(Long::intValue)
        .max()
        .orElse(0);
  }

  @Test
  void workersOfAFullNodeRunElsewhere() throws Exception {
    Marks marks = new Marks(folder.resolve("marks"));
    Workflow workflow = ShellWorkflow.woven(marks);
    runs.put("spread", ShellWorkflow.inputs());
    RunRecord record;
    try (TestApplication other = TestApplication.start(cluster.configuration(), "science")) {
      Container full = other.holdOn("n2", NODE);
      try (LiveRun run =
          runs.start(
              workflow,
              Mode.WEIR,
              "spread",
              WorkerPlan.DEFAULT.withCount(3).withSize(1, SMALL_MEGABYTES))) {
        // Each worker runs one task at a time.
        marks.awaitBegun("gen", 3);
        marks.open("gen");
        marks.open("hold");
        record = run.end();
        assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      }
      other.release(full);
    }

    assertThat(record.workers()).hasSize(3).extracting(WorkerRecord::node).containsOnly("n1", "n3");
  }

  @Test
  void otherUsersSeeAndKillWhatTheListsPermit() throws Exception {
    Path file = folder.resolve("sleeps.makeflow");
    Files.writeString(file, "a.out:\n\tsleep 600; touch a.out\n");
    Shell.Ran run =
        new Shell(cluster, folder)
            .weir(
                "run",
                file.toString(),
                "--out",
                folder.resolve("out").toString(),
                "--detach",
                "--view-acl",
                "bob",
                "--modify-acl",
                "carol");
    assertSeenByBobAndKilledByCarol(run.err());
  }

  @Test
  void otherUsersSeeAndKillASessionThatTheListsPermit() throws Exception {
    Shell.Ran session =
        new Shell(cluster, folder)
            .weir("session", "start", "--view-acl", "bob", "--modify-acl", "carol");
    assertSeenByBobAndKilledByCarol(session.out());
  }

  private void assertSeenByBobAndKilledByCarol(String output) throws Exception {
    Matcher found = APPLICATION.matcher(output);
    assertThat(found.find()).as(output).isTrue();
    String id = found.group();
    List<String> see = List.of("applicationattempt", "-list", id);
    List<String> kill = List.of("application", "-kill", id);

    assertThat(yarnAs("bob", see)).contains("appattempt_");
    assertThat(yarnAs("dave", see)).contains("does not have privilege to see this application");
    assertThat(yarnAs("bob", kill)).contains("User bob cannot perform operation MODIFY_APP");
    assertThat(yarnAs("carol", kill)).contains("Killing application " + id);
    await()
        .atMost(DEADLINE)
        .until(() -> yarnAs("bob", List.of("application", "-status", id)).contains("KILLED"));
  }

  private String yarnAs(String user, List<String> words) throws Exception {
    List<String> command = new ArrayList<>(List.of(Distribution.built().weir().toString()));
    command.addAll(List.of("cluster", "yarn", "--dir", cluster.dir().toString()));
    command.addAll(List.of("--user", user));
    command.addAll(words);
    return Shell.run(command, Map.of(), folder).toString();
  }

  private Map<String, String> undisturbed() throws Exception {
    Marks marks = new Marks(folder.resolve("undisturbed"));
    marks.open("gen");
    marks.open("hold");
    runs.put("undisturbed", ShellWorkflow.inputs());
    Workflow workflow = ShellWorkflow.woven(marks);
    try (LiveRun run = runs.start(workflow, Mode.WEIR, "undisturbed", 2)) {
      assertThat(run.end().state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
    }
    return runs.results(workflow, "undisturbed");
  }
}
