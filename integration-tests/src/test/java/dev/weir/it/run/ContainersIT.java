package dev.weir.it.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.NodeInfo;
import dev.weir.workflow.client.WorkflowRunner;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.reuse.RerunChoice;
import dev.weir.workflow.staging.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs tasks in real containers of podman, from an image that only HDFS has. */
@Tag("nightly")
class ContainersIT extends MarkedRuns {

  private static final Duration DEADLINE = Duration.ofMinutes(1);
  private static final String IMAGE = "images/tools.tar";
  private static final Path BUSYBOX = Path.of("/bin/busybox");
  private static final Path PODMAN = Path.of("/usr/bin/podman");

  /** Needs no rights that a container of a build lacks, and leaves nothing on the machine. */
  private static final String SCRIPT =
      """
      #!/bin/sh
      export CONTAINERS_CONF="$(dirname "$0")/containers.conf"
      exec %s --root="$(dirname "$0")/root" --runroot="$(dirname "$0")/run" \\
        --storage-driver=vfs --cgroup-manager=cgroupfs --runtime=runc "$@"
      """;

  private static final String LIMITS =
      """
      [containers]
      default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
      """;

  private Path podman;

  ContainersIT() {
    super("containers");
  }

  @BeforeEach
  void installPodman(LocalCluster shared) throws Exception {
    assumeTrue(
        Files.exists(PODMAN)
            && Files.exists(BUSYBOX)
            && System.getProperty("user.name").equals("root"),
        "podman and busybox-static must be installed, and the user must be root");
    Path directory = Files.createDirectory(folder.resolve("podman"));
    podman = executable(directory.resolve("podman"), SCRIPT.formatted(PODMAN));
    Files.writeString(directory.resolve("containers.conf"), LIMITS);
    allow(shared, podman.toString());
  }

  @AfterEach
  void removeContainers(LocalCluster shared) throws Exception {
    podman("rm", "--all", "--force");
    for (NodeInfo node : shared.nodes()) {
      Files.deleteIfExists(settings(shared, node));
    }
  }

  private static Path settings(LocalCluster cluster, NodeInfo node) throws IOException {
    return cluster.confDir(node.name()).resolve("weir-site.xml");
  }

  private static void allow(LocalCluster cluster, String runtimes) throws IOException {
    for (NodeInfo node : cluster.nodes()) {
      Files.writeString(
          settings(cluster, node),
          "<configuration><property><name>weir.containers</name><value>"
              + runtimes
              + "</value></property></configuration>");
    }
  }

  private static Path executable(Path file, String script) throws IOException {
    Files.writeString(file, script);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private String podman(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(podman.toString()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, printed).isZero();
    return printed;
  }

  /** An archive of an image with a shell and the program {@code shout}. */
  private byte[] image(String alphabet) throws Exception {
    Path bin = Files.createDirectories(folder.resolve("image-" + alphabet + "/bin"));
    Files.copy(BUSYBOX, bin.resolve("busybox"), StandardCopyOption.COPY_ATTRIBUTES);
    for (String name : List.of("sh", "tr", "cat", "sleep", "id")) {
      Files.createSymbolicLink(bin.resolve(name), Path.of("busybox"));
    }
    executable(bin.resolve("shout"), "#!/bin/sh\nexec tr a-z " + alphabet + "\n");
    Path root = folder.resolve("root.tar");
    List<String> pack =
        List.of("tar", "-C", String.valueOf(bin.getParent()), "-cf", root.toString(), ".");
    assertThat(Shell.run(pack, Map.of(), folder).code()).isZero();
    podman("import", "--quiet", root.toString(), "tools:latest");
    Path archive = folder.resolve("tools.tar");
    Files.deleteIfExists(archive);
    podman("save", "--quiet", "--output=" + archive, "localhost/tools:latest");
    podman("rmi", "--force", "localhost/tools:latest");
    return Files.readAllBytes(archive);
  }

  private static Workflow inImage(ShellWorkflow workflow) {
    return WorkflowRunner.withContainer(workflow.build(), IMAGE);
  }

  private static Workflow shouts() {
    ShellWorkflow workflow = new ShellWorkflow("shouts");
    for (int i = 0; i < 4; i++) {
      workflow.task("shout" + i, "shout < in.txt > out" + i, List.of("in.txt"), List.of("out" + i));
    }
    return inImage(
        workflow.task(
            "last",
            "cat out0 out1 out2 out3 > all",
            List.of("out0", "out1", "out2", "out3"),
            List.of("all")));
  }

  @Test
  void tasksRunInAnImageThatHdfsHas() throws Exception {
    runs.put("shouts", Map.of("in.txt", "däta\n".getBytes(UTF_8), IMAGE, image("A-Z")));

    assertThat(run(shouts())).hasSize(5);
    assertThat(runs.text("shouts", "all")).isEqualTo("DäTA\n".repeat(4));
    assertThat(run(shouts())).as("with the same image").isEmpty();
    runs.put("shouts", Map.of(IMAGE, image("B-ZA")));
    assertThat(run(shouts())).as("with another image").hasSize(5);
    assertThat(runs.text("shouts", "out3")).isEqualTo("EäUB\n");
    assertThat(podman("ps", "--all", "--quiet")).isEmpty();
    await("removal of the images")
        .atMost(DEADLINE)
        .untilAsserted(() -> assertThat(podman("images", "--quiet")).isEmpty());
  }

  private Set<String> run(Workflow workflow) throws Exception {
    try (LiveRun run = runs.start(workflow, Mode.WEIR, workflow.name(), 2, RerunChoice.NONE)) {
      RunRecord record = run.end();
      assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
      return ran(record);
    }
  }

  private static Workflow sleeps(String script) {
    return inImage(new ShellWorkflow("sleeps").task("sleep", script, List.of(), List.of("out")));
  }

  @Test
  void aTimeLimitEndsTheContainer() throws Exception {
    runs.put("limit", Map.of(IMAGE, image("A-Z")));
    Workflow workflow = WorkflowRunner.withTimeLimit(sleeps("sleep 1000"), 2);
    try (LiveRun run = runs.start(workflow, Mode.LOCALITY, "limit", 1)) {
      assertThat(run.end().tasks()).extracting(TaskRecord::outcome).containsOnly(Outcome.FAILED);

      assertThat(run.failure()).contains("longer than its time limit");
      assertThat(podman("ps", "--all", "--quiet")).isEmpty();
    }
  }

  @Test
  void theContainerOfAKilledWorkerEnds() throws Exception {
    runs.put("killed", Map.of(IMAGE, image("A-Z")));
    try (LiveRun run = runs.start(sleeps("sleep 1000"), Mode.LOCALITY, "killed", 1)) {
      await("the container").atMost(DEADLINE).until(() -> !containers().isEmpty());
      String container = containers().get(0);
      String worker = container.substring("weir-".length(), container.lastIndexOf('-'));
      assertThat(container).contains(run.id().replace("application_", ""));

      Processes.containing(Processes.WORKER, worker).destroyForcibly();

      await("end of the container").atMost(DEADLINE).until(() -> !containers().contains(container));
    }
    await("end of the next container").atMost(DEADLINE).until(() -> containers().isEmpty());
  }

  private List<String> containers() throws Exception {
    return podman("ps", "--all", "--format={{.Names}}").lines().toList();
  }

  @Test
  void anAdministratorMayAllowNone() throws Exception {
    allow(cluster, "none");
    runs.put("none", Map.of(IMAGE, "no archive".getBytes(UTF_8)));
    try (LiveRun run = runs.start(sleeps("true"), Mode.LOCALITY, "none", 1)) {
      assertThat(run.end().tasks()).as("attempts; other nodes are not tried").hasSize(1);

      assertThat(run.failure()).contains("allows none", "weir.containers", "weir-site.xml");
    }
  }
}
