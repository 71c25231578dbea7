package dev.weir.workflow.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.workflow.image.TaskContainers;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Attempts in real containers of podman, from an image of a shell that this test makes. */
class PodmanTasksTest extends TaskRunnerTestBase {

  private static final Duration DEADLINE = Duration.ofMinutes(1);
  private static final Path PODMAN = Path.of("/usr/bin/podman");
  private static final Path BUSYBOX = Path.of("/bin/busybox");

  /** Has a store of its own, and needs no right to raise limits. */
  private static final String SCRIPT =
      """
      #!/bin/sh
      export CONTAINERS_CONF="${0%/*}/containers.conf"
      exec /usr/bin/podman --root="${0%/*}/root" --runroot="${0%/*}/run" --storage-driver=vfs \\
        --cgroup-manager=cgroupfs --runtime=runc "$@"
      """;

  private static final String LIMITS =
      "[containers]\ndefault_ulimits = [\"nofile=1024:1024\", \"nproc=4096:4096\"]\n";

  private Path podman;
  private TaskContainers containers;

  @BeforeEach
  void makeImage() throws Exception {
    assumeTrue(
        Files.exists(PODMAN)
            && Files.exists(BUSYBOX)
            && System.getProperty("user.name").equals("root"),
        "podman and busybox-static must be installed, and the user must be root");
    Path directory = Files.createDirectory(temp.resolve("podman"));
    podman = executable(directory.resolve("podman"), SCRIPT);
    Files.writeString(directory.resolve("containers.conf"), LIMITS);
    Path bin = Files.createDirectories(temp.resolve("image/bin"));
    Files.copy(BUSYBOX, bin.resolve("busybox"), StandardCopyOption.COPY_ATTRIBUTES);
    for (String name : List.of("sh", "tr", "sleep")) {
      Files.createSymbolicLink(bin.resolve(name), Path.of("busybox"));
    }
    executable(bin.resolve("shout"), "#!/bin/sh\nexec tr a-z A-Z\n");
    call(List.of("tar", "-C", temp.resolve("image").toString(), "-cf", temp + "/root.tar", "."));
    Path archive = store.file("/data/t.tar");
    Files.createDirectories(temp.resolve("store/data"));
    podman("import", "--quiet", temp + "/root.tar", "tools:latest");
    podman("save", "--quiet", "--output=" + archive, "localhost/tools:latest");
    podman("rmi", "localhost/tools:latest");
    Path application = Files.createDirectories(temp.resolve("appcache/application_1_1"));
    containers = TestTools.containers(application, podman.toString());
    runner =
        new TaskRunner(
            store, TestTools.places(temp), TestTools.with(TestTools.of(pool, shells), containers));
  }

  @AfterEach
  void nothingRemains() throws Exception {
    if (containers != null) {
      assertThat(podman("ps", "--all", "--quiet")).isEmpty();
      containers.close();
      assertThat(podman("images", "--quiet")).isEmpty();
    }
  }

  private static Path executable(Path file, String script) throws IOException {
    Files.writeString(file, script);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  private String podman(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(podman.toString()));
    command.addAll(List.of(arguments));
    return call(command);
  }

  private static String call(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, printed).isZero();
    return printed;
  }

  @Test
  void aProgramOfTheImageReadsAndWritesFiles() throws Exception {
    Files.writeString(store.file("/data/in"), "däta\n");
    TaskOrder order = shell(slots("in", "t.tar"), slots("out"), "shout < in > out");

    assertEnded(run(order.withContainer("t.tar")), Result.SUCCEEDED);

    assertThat(store.file("/data/out")).hasContent("DäTA");
    assertThat(Files.getOwner(store.file("/data/out"))).isEqualTo(Files.getOwner(temp));
  }

  @Test
  void aTimeLimitEndsTheContainer() throws Exception {
    assertEnded(
        run(shell(slots("t.tar"), slots(), "sleep 1000").withContainer("t.tar").limited(1)),
        Result.FAILED);
  }

  @Test
  void memoryIsLimitedToWhatTheTaskDeclares() throws Exception {
    TaskOrder order =
        new TaskOrder(
            "task",
            1,
            "1-1",
            List.of("sh", "-c", "x=a; while :; do x=$x$x; done"),
            slots("t.tar"),
            List.of(),
            Map.of(),
            false,
            0,
            new ResourceNeeds(1, 40L << 20));

    assertEnded(run(order.withContainer("t.tar")), Result.MEMORY_EXCEEDED);
  }

  @Test
  void anInterruptEndsTheContainer() throws Exception {
    TaskOrder order = shell(slots("t.tar"), slots(), "sleep 1000").withContainer("t.tar");
    Thread attempt =
        new Thread(
            () -> {
              try {
                run(order);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    attempt.start();
    await().atMost(DEADLINE).until(() -> !podman("ps", "--quiet").isEmpty());

    attempt.interrupt();

    attempt.join();
  }
}
