package dev.weir.it.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.it.NodeSettings;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tasks that declare what they need, such as a resource type of YARN. The nodes n1 and n2 have one
 * device each.
 */
@Tag("nightly")
class ResourceTypesIT {

  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final int PAIRS = 4;

  @TempDir private Path folder;

  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        LocalCluster.start(
            ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
                .nodes(3)
                .hosts(ClusterExtension.hosts())
                .configuration("yarn.resource-types", "fpga")
                .configuration("yarn.nodemanager.resource-type.fpga", "1")
                .configuration("yarn.nodemanager.resource.memory-mb", "3072")
                .configuration(
                    "yarn.scheduler.capacity.resource-calculator",
                    "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator")
                .build(),
            step -> System.out.println("types: " + step));
    NodeSettings.change(
        cluster, "n3", "yarn-site.xml", Map.of("yarn.nodemanager.resource-type.fpga", "0"));
    cluster.stopNode("n3");
    cluster.startNode("n3");
    ResourceUtils.resetResourceTypes(cluster.configuration());
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(cluster.configuration());
      yarn.start();
      await()
          .atMost(DEADLINE)
          .until(
              () ->
                  yarn.getNodeReports(NodeState.RUNNING).stream()
                          .mapToLong(node -> node.getCapability().getResourceValue("fpga"))
                          .sum()
                      == 2);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static TaskNeeds fpgas(long number) {
    return TaskNeeds.UNKNOWN.withResources(Map.of("fpga", number));
  }

  private Process start(Workflow workflow, String... options) throws IOException {
    Path file = folder.resolve("workflow.json");
    WfFormatWriter.write(workflow, file);
    List<String> command =
        new ArrayList<>(List.of(Distribution.built().weir().toString(), "run", file.toString()));
    command.addAll(List.of("--out", folder.resolve("out").toString()));
    command.addAll(List.of("--cluster", cluster.dir().toString()));
    command.addAll(List.of(options));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start();
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("output"));
  }

  @Test
  void tasksRunWhereTheirDeviceIsOneAtATime() throws Exception {
    ShellWorkflow workflow = new ShellWorkflow("devices");
    for (int i = 0; i < PAIRS; i++) {
      workflow.task("plain" + i, "sleep 1; echo > p" + i, List.of(), List.of("p" + i));
      workflow.task(
          "fast" + i,
          "sleep 1; cat p" + i + " > f" + i,
          List.of("p" + i),
          List.of("f" + i),
          fpgas(1));
    }

    assertThat(start(workflow.build()).waitFor()).as(output()).isZero();

    Path file = folder.resolve("out/run.json");
    RunRecord record = RunRecordCodec.fromJson(Files.readString(file), file.toString());
    assertThat(nodes(record, "plain")).contains("n3");
    assertThat(nodes(record, "fast")).isSubsetOf("n1", "n2").isNotEmpty();
    Map<String, Instant> free = new HashMap<>();
    record.tasks().stream()
        .filter(task -> task.type().equals("fast"))
        .sorted(Comparator.comparing(TaskRecord::dispatched))
        .forEach(
            task -> {
              assertThat(task.dispatched())
                  .as("one task at a time on %s", task.node())
                  .isAfterOrEqualTo(free.getOrDefault(task.node(), Instant.EPOCH));
              free.put(task.node(), task.ended());
            });
  }

  private static Set<String> nodes(RunRecord record, String type) {
    return record.tasks().stream()
        .filter(task -> task.type().equals(type))
        .map(TaskRecord::node)
        .collect(Collectors.toSet());
  }

  @Test
  void taskIsRetriedAsOftenAsItDeclares() throws Exception {
    String fourthRetry = "test \"$WEIR_ATTEMPT\" -ge 5 && echo > r";
    Workflow workflow =
        new ShellWorkflow("retried")
            .task("r", fourthRetry, List.of(), List.of("r"), TaskNeeds.UNKNOWN.withRetries(4))
            .build();

    assertThat(start(workflow).waitFor()).as(output()).isZero();

    Path file = folder.resolve("out/run.json");
    assertThat(RunRecordCodec.fromJson(Files.readString(file), file.toString()).tasks()).hasSize(5);
  }

  /** Each process squares a part of the numbers; the first gets all by MPI. */
  private static final String SQUARES =
      """
      cat > squares.py <<'END'
      import os, re
      from mpi4py import MPI
      world = MPI.COMM_WORLD
      with open("in") as file:
          numbers = file.read().split()
      first, end = (len(numbers) * n // world.size for n in (world.rank, world.rank + 1))
      parts = world.gather("".join(f"{int(n) ** 2}\\n" for n in numbers[first:end]))
      places = world.gather(os.environ["TMPDIR"])
      if world.rank == 0:
          with open("squares", "w") as file:
              file.write("".join(parts))
          with open("places", "w") as file:
              file.write("".join(place + "\\n" for place in places))
      END
      """;

  @Test
  void mpiProgramRunsInSeveralContainers() throws Exception {
    assumeThat(new ProcessBuilder("/usr/bin/python3", "-c", "import mpi4py").start().waitFor())
        .as("mpi4py and Open MPI")
        .isZero();
    // The first attempt loses a container, the second one the ApplicationMaster.
    String losses =
        """
        once() { mkdir '%1$s'/$1 2>/dev/null; }
        if once container; then $WEIR_LAUNCHER weir-1 'kill -s KILL $PPID'; sleep 1000; fi
        if once master; then
            pkill -KILL -f "$(pwd | grep -o 'application_[0-9]*_[0-9]*').*SessionMaster"
            sleep 1000
        fi
        """
            .formatted(folder);
    String mpi =
        losses
            + "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
            + " mpiexec -n 4 /usr/bin/python3 squares.py";
    // At most two containers on a node, and one beside the ApplicationMaster.
    TaskNeeds needs = new TaskNeeds(1, 900L << 20, 0).withContainers(4);
    Workflow workflow =
        new ShellWorkflow("gang")
            .task("in", SQUARES + "seq 1000 > in", List.of(), List.of("in", "squares.py"))
            .task("mpi", mpi, List.of("in", "squares.py"), List.of("squares", "places"), needs)
            .build();

    assertThat(start(workflow, "--data", "/gang").waitFor()).as(output()).isZero();

    assertThat(folder.resolve("master")).exists();
    String expected =
        LongStream.rangeClosed(1, 1000).mapToObj(n -> n * n + "\n").collect(Collectors.joining());
    assertThat(result("/gang/squares")).isEqualTo(expected);
    List<String> places = result("/gang/places").lines().toList();
    assertThat(places).hasSize(4).doesNotHaveDuplicates();
    assertThat(places.stream().map(place -> place.replaceAll(".*/(n\\d)/.*", "$1")).distinct())
        .as("nodes of %s", places)
        .hasSizeBetween(2, 3);
  }

  private static String result(String path) throws IOException {
    try (FileSystem hdfs = FileSystem.newInstance(cluster.configuration());
        InputStream in = hdfs.open(new org.apache.hadoop.fs.Path(path))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @Test
  void resourcesThatNoNodeHasAreReportedBeforeTheStart() throws Exception {
    TaskNeeds unknown = TaskNeeds.UNKNOWN.withResources(TaskNeeds.gpus(1));
    for (Map.Entry<TaskNeeds, String> each :
        Map.of(
                unknown,
                "YARN has no resource type 'yarn.io/gpu' here, only [fpga]",
                fpgas(2),
                "no node has that; the most is [1 of fpga]")
            .entrySet()) {
      Workflow workflow =
          new ShellWorkflow("refused")
              .task("a", "echo > x", List.of(), List.of("x"), each.getKey())
              .build();

      assertThat(start(workflow).waitFor()).isEqualTo(1);

      assertThat(output()).contains("The task 'a' needs", each.getValue());
    }
  }
}
