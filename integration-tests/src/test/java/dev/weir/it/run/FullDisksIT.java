package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.NodeInfo;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.it.SmallDisk;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.scheduler.api.Progress.Failed;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RetentionPolicy;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tasks that fill the disks of their workers: disks of 64 MB that are mounted at the local
 * directories of NodeManagers. Skipped if this user may not mount.
 */
@Tag("nightly")
class FullDisksIT {
  private static final Duration DEADLINE = Duration.ofMinutes(3);
  private static final int DISK_MEBIBYTES = 64;
  private static final double HALF = 0.5;

  /** A fifth of a disk: a tenth until the NodeManager calls it full. */
  private static final long NEARLY_FULL_BYTES = 13 << 20;

  /** So little that a cache may not have the file of 2 MB. */
  private static final long FULL_BYTES = 8 << 20;

  private static final String LOCAL_DIRS = "yarn.nodemanager.local-dirs";
  private static final String CHECKER = "yarn.nodemanager.disk-health-checker.";

  /** A command that prints the same 100 MB each time. */
  private static final String PRINT_100_MB = "seq 20000000 | head -c 100000000";

  @TempDir private Path folder;
  private static final String PRINT_2_MB = "seq 2000000 | head -c 2000000";
  private final List<AutoCloseable> open = new ArrayList<>();
  private Marks marks;
  private LocalCluster cluster;
  private ClusterRuns runs;

  /** Starts a cluster of two nodes, some with small disks. */
  private void start(List<String> small, Map<String, String> settings) throws Exception {
    Path local = folder.resolve("local");
    for (String node : small) {
      open.add(SmallDisk.at(local.resolve(node), DISK_MEBIBYTES));
    }
    ClusterSpec.Builder spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
            .nodes(2)
            .hosts(ClusterExtension.hosts())
            .configuration(LOCAL_DIRS, local + "/${yarn.nodemanager.hostname}");
    settings.forEach(spec::configuration);
    cluster =
        LocalCluster.start(
            spec.build(), progress -> System.out.println("small disks: " + progress));
    open.add(cluster);
    runs = new ClusterRuns(cluster, "full-disks");
    open.add(runs);
    marks = new Marks(folder.resolve("marks"));
  }

  @AfterEach
  void close() throws Exception {
    Exception failure = null;
    for (int i = open.size() - 1; i >= 0; i--) {
      try {
        open.get(i).close();
      } catch (Exception e) {
        // Closes the others too; otherwise a disk would stay mounted permanently.
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Two tasks that each fill a disk after both have begun, and one that reads both files. */
  private Workflow filling() {
    return new ShellWorkflow("filling")
        .task("fill0", fill(0), List.of(), List.of("big0.dat", "small0.txt"))
        .task("fill1", fill(1), List.of(), List.of("big1.dat", "small1.txt"))
        .task(
            "all",
            "cat big0.dat big1.dat | sha256sum > all.txt",
            List.of("big0.dat", "big1.dat"),
            List.of("all.txt"))
        .build();
  }

  private String fill(int number) {
    String outputs = "echo > small" + number + ".txt; " + PRINT_100_MB + " > big" + number + ".dat";
    return marks.recordBegin() + marks.waitFor("fill") + outputs;
  }

  private String sumOfAll() throws Exception {
    String twice = "for i in 0 1; do " + PRINT_100_MB + "; done | sha256sum";
    return Shell.run(List.of("sh", "-c", twice), Map.of(), folder).out();
  }

  private RunRecord endWithRightBytes(LiveRun run) throws Exception {
    marks.awaitBegun("fill", 2);
    marks.open("fill");
    RunRecord record = run.end();
    assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
    assertThat(runs.text("data", "all.txt")).isEqualTo(sumOfAll());
    assertThat(runs.names("data"))
        .containsExactlyInAnyOrder("all.txt", "big0.dat", "big1.dat", "small0.txt", "small1.txt");
    return record;
  }

  @Test
  void aTaskThatFillsADiskIsRetriedOnAnotherNode() throws Exception {
    start(List.of("n1"), Map.of());
    try (LiveRun run = runs.start(filling(), Mode.WEIR, "data", 2)) {
      RunRecord record = endWithRightBytes(run);

      List<TaskRecord> fills =
          record.tasks().stream().filter(task -> task.type().equals("fill")).toList();
      assertThat(fills)
          .filteredOn(task -> task.outcome() == Outcome.SUCCEEDED)
          .hasSize(2)
          .allMatch(task -> task.node().equals("n2"));
      assertThat(fills)
          .filteredOn(task -> task.outcome() != Outcome.SUCCEEDED)
          .hasSize(1)
          .allMatch(task -> task.outcome() == Outcome.LOST && task.node().equals("n1"));
      assertThat(run.failures()).extracting(Failed::node).containsOnly("n1");
      assertThat(run.failures().get(0).line())
          .contains("the disk of n1 with " + local("n1"), "is full", "free space there");
    }
  }

  @Test
  void aNodeManagerMayDisableAFullNode() throws Exception {
    start(
        List.of("n1"),
        Map.of(
            CHECKER + "interval-ms", "500",
            CHECKER + "max-disk-utilization-per-disk-percentage", "90"));
    try (LiveRun run = runs.start(filling(), Mode.WEIR, "data", 2)) {
      endWithRightBytes(run);
    }
  }

  @Test
  void ifAllDisksAreFullTheRunFailsWithARemedyAndCleansUp() throws Exception {
    start(List.of("n1", "n2"), Map.of());
    marks.open("fill");
    Path file = folder.resolve("filling.json");
    WfFormatWriter.write(filling(), file);
    Shell shell = new Shell(cluster, folder);

    Shell.Ran ran =
        shell.weir(
            "run",
            file.toString(),
            "--data",
            runs.path("data", "."),
            "--out",
            folder.resolve("out").toString());

    assertThat(ran.code()).as(ran.toString()).isEqualTo(1);
    Shell.Ran status = shell.weir("status", "last");
    for (String text : List.of(ran.err(), status.out())) {
      assertThat(text)
          .containsPattern("the disk of (n1|n2) with " + folder.resolve("local") + "/\\1/")
          .contains("is full: free space there, or give the node more")
          .doesNotContain("\tat ");
    }
    assertThat(runs.names("data")).isEmpty();
    await("free disks")
        .atMost(DEADLINE)
        .until(
            () ->
                cluster.nodes().stream()
                    .map(NodeInfo::name)
                    .allMatch(node -> used(folder.resolve("local").resolve(node)) < HALF));
  }

  @Test
  void filesStayOnNearlyFullDisksUntilOthersFillThem() throws Exception {
    List<String> nodes = List.of("n1", "n2");
    start(
        nodes,
        Map.of(
            CHECKER + "interval-ms", "600000",
            CHECKER + "max-disk-utilization-per-disk-percentage", "90"));
    Workflow workflow =
        new ShellWorkflow("nearly-full")
            .task(
                "make",
                marks.recordBegin() + marks.waitFor("make") + PRINT_2_MB + " > made.dat",
                List.of(),
                List.of("made.dat"))
            .task(
                "read",
                marks.recordBegin() + marks.waitFor("read") + "sha256sum < made.dat > sum.txt",
                List.of("made.dat"),
                List.of("sum.txt"))
            .build();
    try (LiveRun run =
        runs.start(
            workflow, Mode.WEIR, "data", 1, RunOptions.DEFAULT.withKeep(RetentionPolicy.NONE))) {
      marks.awaitBegun("make", 1);
      for (String node : nodes) {
        fill(node, NEARLY_FULL_BYTES);
      }
      marks.open("make");
      marks.awaitBegun("read", 1);
      assertThat(runs.names("data")).as("it is on its node").isEmpty();

      for (String node : nodes) {
        fill(node, FULL_BYTES);
      }
      await("the file in HDFS")
          .atMost(DEADLINE)
          .untilAsserted(() -> assertThat(runs.names("data")).containsExactly("made.dat"));
      assertThat(run.notes())
          .singleElement()
          .asString()
          .containsPattern(
              "the disk of n[12] has too little room for the cache: it may have 1 MiB");
      marks.open("read");
      assertThat(run.end().state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
    }
    String sum =
        Shell.run(List.of("sh", "-c", PRINT_2_MB + " | sha256sum"), Map.of(), folder).out();
    assertThat(runs.text("data", "sum.txt")).isEqualTo(sum);
  }

  /** Fills a disk with a file until only some bytes are free. */
  private void fill(String node, long freeBytes) throws IOException {
    Path disk = folder.resolve("local").resolve(node);
    long bytes = Files.getFileStore(disk).getUsableSpace() - freeBytes;
    assertThat(bytes).as("room on the disk of %s", node).isPositive();
    Files.write(
        disk.resolve("others"),
        new byte[Math.toIntExact(bytes)],
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  @Test
  void filesStayOnNodesWithSeveralDisks() throws Exception {
    String disks = folder.resolve("one") + "/%1$s," + folder.resolve("two") + "/%1$s";
    start(List.of(), Map.of(LOCAL_DIRS, disks.formatted("${yarn.nodemanager.hostname}")));
    ShellWorkflow workflow = new ShellWorkflow("disks");
    List<String> made = List.of("a0.dat", "a1.dat", "a2.dat", "a3.dat");
    for (int i = 0; i < made.size(); i++) {
      String script = PRINT_2_MB + " > " + made.get(i);
      workflow.task("make" + i, script, List.of(), List.of(made.get(i)));
    }
    for (String reader : List.of("left", "right")) {
      String script = marks.recordBegin() + marks.waitFor("read") + "cat a?.dat | sha256sum > ";
      workflow.task(reader, script + reader, made, List.of(reader));
    }

    try (LiveRun run =
        runs.start(
            workflow.build(),
            Mode.WEIR,
            "data",
            made.size(),
            RunOptions.DEFAULT.withKeep(RetentionPolicy.NONE))) {
      marks.awaitBegun("left", 1);
      assertThat(runs.names("data")).isEmpty();
      marks.open("read");
      assertThat(run.end().state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
    }
    String fourTimes = "for i in 0 1 2 3; do " + PRINT_2_MB + "; done | sha256sum";
    assertThat(runs.text("data", "left"))
        .isEqualTo(Shell.run(List.of("sh", "-c", fourTimes), Map.of(), folder).out())
        .isEqualTo(runs.text("data", "right"));
  }

  private String local(String node) {
    return folder.resolve("local").resolve(node).toString();
  }

  private static double used(Path disk) {
    try {
      double free = Files.getFileStore(disk).getUsableSpace();
      return 1 - free / Files.getFileStore(disk).getTotalSpace();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
