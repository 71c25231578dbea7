package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.NodeInfo;
import dev.weir.it.ClusterExtension;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.Tidied;
import dev.weir.workflow.run.Keep;
import dev.weir.workflow.run.Mode;
import dev.weir.workflow.run.RunChoices;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Files in between go while a run goes on, and nothing is lost by that. */
@Tag("nightly")
@ExtendWith(ClusterExtension.class)
class TidyIT {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final String MASTER = "dev.weir.workflow.am.AppMaster";
  private static final String WORKER = "dev.weir.workflow.worker.WorkerMain";
  private static final String DATA = "data";
  private static final RunChoices CHOICES =
      RunChoices.DEFAULT.withRerun("none").withKeep(Keep.NONE);

  @TempDir private Path folder;
  private LocalCluster cluster;
  private ClusterRuns runs;
  private Marks marks;

  @BeforeEach
  void open(LocalCluster shared) throws Exception {
    cluster = shared;
    runs = new ClusterRuns(shared, "tidy");
    marks = new Marks(folder.resolve("marks"));
    runs.put(DATA, ShellWorkflow.inputs());
  }

  @AfterEach
  void close() throws Exception {
    runs.close();
  }

  private boolean exists(String file) throws Exception {
    return runs.files().fs().exists(new org.apache.hadoop.fs.Path(runs.path(DATA, file)));
  }

  private RunRecord run(Workflow workflow, RunChoices choices) throws Exception {
    try (LiveRun run = runs.start(workflow, Mode.WEIR, DATA, 2, choices)) {
      RunRecord record = run.end();
      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      return record;
    }
  }

  private static Set<String> ran(RunRecord record) {
    return record.tasks().stream().map(TaskRecord::task).collect(Collectors.toSet());
  }

  private static List<TaskRecord> attempts(RunRecord record, String task) {
    return record.tasks().stream().filter(attempt -> attempt.task().equals(task)).toList();
  }

  @Test
  void whatIsInBetweenGoesAndIsNotMissedByTheNextRun() throws Exception {
    marks.open("gen");
    marks.open("clean");
    Workflow workflow = ShellWorkflow.lines(marks);

    RunRecord first = run(workflow, CHOICES.withKeep("sum/s1*"));

    assertThat(first.tidied().files()).isEqualTo(3 * ShellWorkflow.WIDTH - 1);
    assertThat(first.tidied().bytes()).isGreaterThan(2L * ShellWorkflow.WIDTH * 190_000);
    assertThat(first.tidied().left()).isZero();
    for (int i = 0; i < ShellWorkflow.WIDTH; i++) {
      assertThat(exists("in/i" + i + ".dat")).as("input").isTrue();
      assertThat(exists("raw/r" + i + ".dat")).isFalse();
      assertThat(exists("clean/c" + i + ".dat")).isFalse();
      assertThat(exists("sum/s" + i + ".txt")).isEqualTo(i == 1);
    }
    String result = runs.text(DATA, "final.txt");

    RunRecord second = run(workflow, CHOICES);
    assertThat(ran(second)).isEmpty();
    assertThat(second.reused()).hasSize(workflow.tasks().size());
    assertThat(second.tidied()).as("nothing was made").isEqualTo(Tidied.NOTHING);
    assertThat(exists("sum/s1.txt")).as("made by an earlier run").isTrue();

    // One more reader of one of the sums: it takes the line that leads to it.
    Workflow more =
        new Workflow(
            "more",
            with(
                workflow,
                new ShellWorkflow("one")
                    .task("more", "wc -c < sum/s2.txt > more.txt", List.of("sum/s2.txt"), MORE)
                    .build()),
            with(workflow.files(), MORE.get(0)));
    RunRecord third = run(more, CHOICES);
    assertThat(ran(third)).containsExactlyInAnyOrder("gen2", "clean2", "sum2", "more");
    assertThat(exists("sum/s2.txt")).isFalse();
    assertThat(runs.text(DATA, "final.txt")).isEqualTo(result);
  }

  private static final List<String> MORE = List.of("more.txt");

  private static List<dev.weir.workflow.model.Task> with(Workflow workflow, Workflow more) {
    List<dev.weir.workflow.model.Task> tasks = new ArrayList<>(workflow.tasks());
    tasks.addAll(more.tasks());
    return tasks;
  }

  private static Map<String, dev.weir.workflow.model.DataFile> with(
      Map<String, dev.weir.workflow.model.DataFile> files, String more) {
    Map<String, dev.weir.workflow.model.DataFile> all = new java.util.LinkedHashMap<>(files);
    all.put(more, new dev.weir.workflow.model.DataFile(more, 10));
    return all;
  }

  /** Lines of gen, mid and fin; then hold; then late, which reads what fin has made. */
  private Workflow deep() {
    ShellWorkflow workflow = new ShellWorkflow("deep");
    List<String> mids = new ArrayList<>();
    List<String> ends = new ArrayList<>();
    for (int i = 0; i < ShellWorkflow.WIDTH; i++) {
      String input = "in/i" + i + ".dat";
      String raw = "raw/r" + i + ".dat";
      String mid = "mid/m" + i + ".dat";
      String fin = "fin/f" + i + ".dat";
      String end = "end/e" + i + ".txt";
      workflow
          .task(
              "gen" + i,
              marks.note() + "cat " + input + " " + input + " > " + raw,
              List.of(input),
              List.of(raw))
          .task(
              "mid" + i,
              marks.note() + "tr a-y b-z < " + raw + " > " + mid,
              List.of(raw),
              List.of(mid))
          .task(
              "fin" + i,
              marks.note() + marks.waitFor("gen") + "tr b-z a-y < " + mid + " > " + fin,
              List.of(mid),
              List.of(fin))
          .task(
              "late" + i,
              marks.note() + "cat " + fin + " go.txt | sha256sum > " + end,
              List.of(fin, "go.txt"),
              List.of(end));
      mids.add("fin" + i);
      ends.add(end);
    }
    return workflow
        .task(
            "hold",
            marks.note() + marks.waitFor("hold") + "echo go > go.txt",
            List.of(),
            List.of("go.txt"),
            mids)
        .task("all", "cat " + String.join(" ", ends) + " > final.txt", ends, List.of("final.txt"))
        .build();
  }

  @Test
  void aLossIsMadeGoodThoughAllThatItWasMadeOfIsDeleted() throws Exception {
    try (LiveRun run = runs.start(deep(), Mode.WEIR, DATA, ShellWorkflow.WIDTH, CHOICES)) {
      marks.awaitBegun("fin", ShellWorkflow.WIDTH);
      marks.open("gen");
      marks.awaitBegun("hold", 1);
      await("deletion of what is behind")
          .atMost(DEADLINE)
          .untilAsserted(
              () -> {
                for (int i = 0; i < ShellWorkflow.WIDTH; i++) {
                  assertThat(exists("raw/r" + i + ".dat")).isFalse();
                  assertThat(exists("mid/m" + i + ".dat")).isFalse();
                  assertThat(exists("fin/f" + i + ".dat")).isTrue();
                }
              });
      Set<String> busy = busyNodes(run);
      int number = 0;
      while (busy.contains(onlyHost(runs.path(DATA, "fin/f" + number + ".dat")))) {
        number++;
      }
      String node = onlyHost(runs.path(DATA, "fin/f" + number + ".dat"));

      cluster.stopNode(node);
      try {
        marks.open("hold");
        RunRecord record = run.end();

        assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
        for (String task : List.of("gen", "mid", "fin")) {
          assertThat(attempts(record, task + number))
              .as(task + number + ", whose last file was on " + node)
              .filteredOn(attempt -> attempt.outcome() == Outcome.SUCCEEDED)
              .hasSize(2);
        }
        assertThat(runs.text(DATA, "final.txt").lines()).hasSize(ShellWorkflow.WIDTH);
        assertThat(exists("raw/r" + number + ".dat")).as("deleted once more").isFalse();
      } finally {
        cluster.startNode(node);
      }
    }
  }

  @Test
  void aSecondApplicationMasterKnowsWhatIsDeletedOnPurpose() throws Exception {
    marks.open("gen");
    try (LiveRun run = runs.start(deep(), Mode.WEIR, DATA, 2, CHOICES)) {
      marks.awaitBegun("hold", 1);
      await("deletion of what is behind")
          .atMost(DEADLINE)
          .until(() -> !exists("raw/r0.dat") && !exists("mid/m0.dat") && exists("fin/f0.dat"));

      Processes.containing(MASTER, run.id()).destroyForcibly();

      marks.open("hold");
      RunRecord record = run.end();
      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      for (String task : List.of("gen", "mid", "fin")) {
        assertThat(marks.begun(task)).as(task).hasSize(ShellWorkflow.WIDTH);
      }
      assertThat(exists("fin/f0.dat")).isFalse();
      assertThat(runs.text(DATA, "final.txt").lines()).hasSize(ShellWorkflow.WIDTH);
    }
  }

  /** The nodes of the ApplicationMaster and of the task that is held. */
  private Set<String> busyNodes(LiveRun run) throws Exception {
    Set<String> busy = new HashSet<>();
    String master = masterHost(run);
    String worker =
        Processes.commandLine(Processes.ancestor(marks.begun("hold").get(0).pid(), WORKER));
    for (NodeInfo node : cluster.nodes()) {
      if (master.contains(node.address())
          || master.equals(node.name())
          || worker.contains("/" + node.name() + "/")) {
        busy.add(node.name());
      }
    }
    return busy;
  }

  private String masterHost(LiveRun run) throws Exception {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(cluster.configuration());
      yarn.start();
      return yarn.getApplicationReport(ApplicationId.fromString(run.id())).getHost();
    }
  }

  private String onlyHost(String file) throws Exception {
    List<String> hosts = runs.files().hosts(file);
    assertThat(hosts).as(file).hasSize(1);
    return hosts.get(0);
  }
}
