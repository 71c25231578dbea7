package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.cluster.plan.NodeInfo;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.client.WorkflowRunner;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Transfers between the caches of nodes, measured by the traffic of links. */
@Tag("nightly")
class CachesIT {

  private static final int NODES = 4;
  private static final int BYTES = 20 << 20;
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /** One worker on each node; the run waits for all before its first task. */
  private static final WorkerPlan WORKERS =
      new WorkerPlan(NODES, 1, 1024, 0)
          .withPatience(TIMEOUT)
          .with(new WorkerPlan.Intake(WorkerPlan.Intake.BY_DISK, 1, 1));

  private static LocalCluster cluster;
  private static FileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    Assumptions.assumeTrue(HostKind.NAMESPACES.lack().isEmpty(), "links need namespaces");
    HadoopJars jars = HadoopJars.ofDistribution(Distribution.built().home());
    ClusterSpec spec =
        ClusterSpec.builder(jars).nodes(NODES).link(LinkRate.parse("200mbit")).build();
    cluster = LocalCluster.start(spec, step -> System.out.println("links: " + step));
    fs = new HdfsFiles(cluster).fs();
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      fs.close();
      cluster.close();
    }
  }

  private static String path(String data, String file) {
    return "/caches/" + data + "/" + file;
  }

  /** A file of one block with one replica. */
  private static String put(String data, String file, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(1).nextBytes(content);
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(path(data, file));
    try (OutputStream out = fs.create(path, true, 1 << 16, (short) 1, 256L << 20)) {
      out.write(content);
    }
    BlockLocation[] blocks = fs.getFileBlockLocations(path, 0, bytes);
    return blocks[0].getHosts()[0];
  }

  private static RunRecord run(ShellWorkflow workflow, String data, WorkerPlan workers)
      throws Exception {
    try (LiveRun run = start(workflow, data, workers)) {
      RunRecord record = run.end();
      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      return record;
    }
  }

  private static LiveRun start(ShellWorkflow workflow, String data, WorkerPlan workers)
      throws Exception {
    RunRequest request =
        RunRequest.builder(workflow.build(), path(data, "."))
            .mode(Mode.LOCALITY)
            .workers(workers)
            .replication(1)
            .build();
    return new LiveRun(
        new WorkflowRunner(cluster.configuration(), ClusterRuns.runnerJars()).submit(request));
  }

  private static long sent(String node) throws IOException {
    return cluster.traffic(node).sent();
  }

  @Test
  void aFileForAllNodesIsForwardedFromNodeToNode() throws Exception {
    int bytes = 4 * BYTES;
    String holder = put("chain", "all.dat", bytes);
    ShellWorkflow workflow = new ShellWorkflow("chain");
    for (int i = 0; i < NODES; i++) {
      workflow.task(
          "read" + i, "cksum < all.dat > out" + i, List.of("all.dat"), List.of("out" + i));
    }
    assertThat(cluster.nodes()).extracting(NodeInfo::name).contains(holder);
    long before = sent(holder);

    RunRecord record = run(workflow, "chain", WORKERS);

    long sentBytes = sent(holder) - before;
    System.out.println(
        "chain: " + sentBytes + " bytes left " + holder + ", " + record.caches() + " of " + bytes);
    assertThat(record.tasks()).extracting(TaskRecord::node).doesNotHaveDuplicates();
    assertThat(record.caches().between()).isEqualTo(2L * bytes);
    assertThat(sentBytes)
        .as("bytes sent by " + holder + ": the file once, and other traffic")
        .isBetween((long) bytes, bytes * 3L / 2);
  }

  @Test
  void aTaskRunsWhereItsInputIsCached() throws Exception {
    ShellWorkflow workflow = new ShellWorkflow("kept");
    List<String> first = List.of("first0", "first1", "first2", "first3");
    for (int i = 0; i < NODES; i++) {
      put("kept", "in" + i, BYTES / 4);
      // The last task ends first, so that its worker becomes idle first.
      String script = "sleep " + (NODES - i) + "; cksum < in" + i + " > out" + i;
      workflow.task("first" + i, script, List.of("in" + i), List.of("out" + i));
    }
    for (int i = 0; i < NODES; i++) {
      workflow.task(
          "again" + i, "cksum < in" + i + " > b" + i, List.of("in" + i), List.of("b" + i), first);
    }

    RunRecord record = run(workflow, "kept", WORKERS);

    Map<String, TaskRecord> tasks =
        record.tasks().stream().collect(Collectors.toMap(TaskRecord::task, Function.identity()));
    for (int i = 0; i < NODES; i++) {
      TaskRecord again = tasks.get("again" + i);
      System.out.println(
          tasks.get("first" + i).node() + " " + again.node() + " " + again.traffic());
    }
    // A node that holds the input of another task in HDFS may run that task.
    assertThat(
            record.tasks().stream()
                .filter(task -> task.task().startsWith("again"))
                .filter(task -> task.node().equals(tasks.get(first(task)).node()))
                .filter(task -> task.traffic().inputCached() == BYTES / 4))
        .hasSizeGreaterThanOrEqualTo(2);
  }

  private static String first(TaskRecord again) {
    return again.task().replace("again", "first");
  }

  @Test
  void outputsAreReadFromTheCacheOnTheirNode() throws Exception {
    ShellWorkflow workflow =
        new ShellWorkflow("line")
            .task("s0", "head -c " + BYTES + " /dev/urandom > d0", List.of(), List.of("d0"))
            .task("s1", "cat d0 > d1", List.of("d0"), List.of("d1"))
            .task("s2", "cat d1 > d2; cksum < d1 > sum", List.of("d1"), List.of("d2", "sum"))
            .task("s3", "cksum < d2 > a; cmp a sum", List.of("d2", "sum"), List.of("a"))
            .task("s4", "cksum < d2 > b; cmp b sum", List.of("d2", "sum"), List.of("b"));

    RunRecord record = run(workflow, "line", WORKERS);

    Map<String, TaskRecord> tasks =
        record.tasks().stream().collect(Collectors.toMap(TaskRecord::task, Function.identity()));
    String node = tasks.get("s0").node();
    assertThat(List.of("s1", "s2"))
        .allSatisfy(
            task -> {
              assertThat(tasks.get(task).node()).isEqualTo(node);
              assertThat(tasks.get(task).traffic().inputCached()).isEqualTo(BYTES);
              assertThat(tasks.get(task).traffic().inputLocal()).isZero();
              assertThat(tasks.get(task).traffic().inputRemote()).isZero();
            });
    // An idle node may run one of the two readers.
    assertThat(List.of("s3", "s4"))
        .anySatisfy(
            task -> {
              assertThat(tasks.get(task).node()).isEqualTo(node);
              assertThat(tasks.get(task).traffic().inputCached()).isEqualTo(BYTES);
              assertThat(tasks.get(task).traffic().inputLocal())
                  .as("bytes of the checksum file")
                  .isLessThan(100);
            });
    assertThat(fs.getFileStatus(new org.apache.hadoop.fs.Path(path("line", "d1"))).getLen())
        .as("the file in HDFS")
        .isEqualTo(BYTES);
  }
}
