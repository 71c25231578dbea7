package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.process.CommandEnvironment;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.staging.TaskSecrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Attempts in containers of a program that only looks like podman. */
class ContainerTasksTest extends TaskRunnerTestBase {

  /** Runs the command with the variables that the container would have. */
  private static final String RUNTIME =
      """
      #!/bin/sh
      echo "$*" >> "$(dirname "$0")/calls"
      case $1 in
        info) echo "[cpu memory]" ;;
        load) echo "Loaded image: own:1" ;;
        image) exit 1 ;;
        run)
          while [ "$1" != --entrypoint= ]; do
            case $1 in --env=HOME=*) export "${1#--env=}" ;; esac
            shift
          done
          shift 2
          exec "$@" ;;
      esac
      """;

  private Path podman;

  @BeforeEach
  void install() throws IOException {
    podman = Files.writeString(temp.resolve("podman"), RUNTIME);
    assertThat(podman.toFile().setExecutable(true)).isTrue();
    allow(podman.toString());
    Files.createDirectory(temp.resolve("application_1_1"));
  }

  private void allow(String runtimes) {
    runner =
        new TaskRunner(
            store,
            new TaskRunner.Places(
                temp.resolve("sandboxes"),
                temp.resolve("logs"),
                CommandEnvironment.base(Map.of("PATH", "/usr/bin:/bin")),
                new TaskSecrets(Map.of("KEY", "hidden")),
                OutputHints.NONE),
            TestTools.with(
                TestTools.of(pool, shells),
                TestTools.containers(temp.resolve("application_1_1"), runtimes)));
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(temp.resolve("calls"));
  }

  private String run() throws IOException {
    return calls().stream().filter(call -> call.startsWith("run ")).findFirst().orElseThrow();
  }

  @Test
  void aCommandRunsInTheImage() throws Exception {
    TaskOrder order = shell(slots(), slots("out"), "echo $HOME $MINE $PWD > out");

    TaskReport report = run(order.withContainer("docker://debian:12"));

    assertEnded(report, Result.SUCCEEDED);
    assertThat(store.file("/data/out")).content().matches("/.*/tmp a b /.*/work\n");
    assertThat(report.effort()).isEqualTo(ResourceUse.NONE);
    assertThat(run())
        .contains("--pull=missing", "--env=MINE ", "--env=WEIR_WORKER ", "--memory=1073741824")
        .contains(" --entrypoint= debian:12 sh -c ");
  }

  @Test
  void anImageOfAnInputIsLoaded() throws Exception {
    Files.createDirectories(store.file("/data"));
    Files.writeString(store.file("/data/t.tar"), "archive");
    TaskOrder order = shell(List.of(new FileSlot("t.tar", "/data/t.tar", 7)), slots(), "true");

    assertEnded(run(order.withContainer("t.tar")), Result.SUCCEEDED);

    assertThat(run())
        .contains("--pull=never")
        .containsPattern("= localhost/weir/.*/application_1_1:");
    assertThat(calls()).anyMatch(call -> call.matches("load --quiet --input=.*t[.]tar"));
  }

  @Test
  void aContainerIsRemovedAtTheTimeLimit() throws Exception {
    TaskReport report =
        run(shell(slots(), slots(), "sleep 1000").withContainer("debian:12").limited(1));

    assertEnded(report, Result.FAILED);
    assertThat(calls().get(calls().size() - 1)).matches("rm --force weir-container_1_2_3_\\d+-1");
  }

  @Test
  void saysWhatTheImageLacks() throws Exception {
    TaskReport report =
        run(order(slots(), slots(), "sh", "-c", "exit 127").withContainer("docker://debian:12"));

    assertEnded(report, Result.FAILED);
    assertThat(report.message())
        .isEqualTo(
            "the command exited with 127: 'sh', or a program that it calls, is not in the"
                + " container image docker://debian:12");
  }

  @Test
  void aSecretIsNotSetOnTheCommandLine() throws Exception {
    TaskOrder order =
        inEnvironment(shell(slots(), slots(), "true"), Map.of("PATH", TaskSecrets.reference("KEY")))
            .withContainer("debian:12");

    TaskReport report = run(order);

    assertEnded(report, Result.FAILED);
    assertThat(report.message()).contains("the variable PATH of the worker cannot hold a secret");
    assertThat(temp.resolve("calls")).doesNotExist();
  }

  @Test
  void refusesWhatTheNodeDoesNotAllow() throws Exception {
    allow("none");

    TaskReport report = run(shell(slots(), slots(), "true").withContainer("debian:12"));

    assertEnded(report, Result.REFUSED);
    assertThat(report.message()).contains("n1 allows none", "weir.containers");
  }

  @Test
  void anotherNodeMayHaveTheRuntime() throws Exception {
    allow("/opt/none/podman");

    assertEnded(
        run(shell(slots(), slots(), "true").withContainer("debian:12")), Result.INFRASTRUCTURE);
  }
}
