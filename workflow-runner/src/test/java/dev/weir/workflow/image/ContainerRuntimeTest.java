package dev.weir.workflow.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.ContainerImage;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContainerRuntimeTest {

  private static final ContainerCommand COMMAND = command(1000, 512, true);

  private static ContainerCommand command(int uid, long memory, boolean loaded) {
    return new ContainerCommand(
        "weir-c-1",
        "img",
        loaded,
        Path.of("/s/attempt-1"),
        Path.of("/s/attempt-1/work"),
        new TreeSet<>(List.of("WEIR_WORKER", "KEY")),
        Map.of("HOME", "/s/attempt-1/tmp"),
        new ContainerCommand.User(uid, 100),
        memory,
        List.of("-x", "a b"));
  }

  @Test
  void podmanKeepsTheUser() {
    assertThat(ContainerRuntime.PODMAN.run(COMMAND))
        .containsExactly(
            "run",
            "--rm",
            "--name=weir-c-1",
            "--pull=never",
            "--network=host",
            "--log-driver=none",
            "--stop-timeout=0",
            "--security-opt=label=disable",
            "--security-opt=no-new-privileges",
            "--userns=keep-id",
            "--user=1000:100",
            "--memory=512",
            "--mount=type=bind,source=/s/attempt-1,target=/s/attempt-1",
            "--workdir=/s/attempt-1/work",
            "--env=KEY",
            "--env=WEIR_WORKER",
            "--env=HOME=/s/attempt-1/tmp",
            "--entrypoint=",
            "img",
            "-x",
            "a b");
  }

  @Test
  void dockerDiffersInTheUserNamespaceOnly() {
    List<String> podman = ContainerRuntime.PODMAN.run(COMMAND);
    List<String> docker = ContainerRuntime.DOCKER.run(COMMAND);

    assertThat(podman).containsAll(docker);
    assertThat(podman).hasSize(docker.size() + 1).contains("--userns=keep-id");
    assertThat(docker).doesNotContain("--userns=keep-id");
  }

  @Test
  void rootHasNoUserNamespace() {
    assertThat(ContainerRuntime.PODMAN.run(command(0, 0, false)))
        .contains("--user=0:100", "--pull=missing")
        .doesNotContain("--userns=keep-id")
        .noneMatch(argument -> argument.startsWith("--memory"));
  }

  @Test
  void apptainerPassesItsEnvironmentOn() {
    assertThat(ContainerRuntime.APPTAINER.run(COMMAND))
        .containsExactly(
            "--quiet",
            "exec",
            "--contain",
            "--bind=/s/attempt-1",
            "--home=/s/attempt-1/tmp",
            "--pwd=/s/attempt-1/work",
            "img",
            "-x",
            "a b");
  }

  @ParameterizedTest
  @CsvSource({
    "PODMAN,docker://debian:12,debian:12",
    "DOCKER,quay.io/x/y:1,quay.io/x/y:1",
    "APPTAINER,debian:12,docker://debian:12",
    "APPTAINER,library://a/b,library://a/b"
  })
  void namesImages(ContainerRuntime runtime, String image, String expected) {
    assertThat(runtime.name(new ContainerImage(image))).isEqualTo(expected);
  }

  @Test
  void onlyApptainerRunsItsOwnFiles() {
    ContainerImage sif = new ContainerImage("t.sif");
    ContainerImage archive = new ContainerImage("t.tar");

    assertThat(ContainerRuntime.PODMAN.canRun(sif)).isFalse();
    assertThat(ContainerRuntime.APPTAINER.canRun(sif)).isTrue();
    assertThat(ContainerRuntime.APPTAINER.loads(sif)).isFalse();
    assertThat(ContainerRuntime.APPTAINER.loads(archive)).isTrue();
    assertThat(ContainerRuntime.DOCKER.canRun(archive)).isTrue();
  }

  @Test
  void aProgramIsKnownByItsName() {
    assertThat(ContainerRuntime.of("/opt/bin/singularity")).contains(ContainerRuntime.APPTAINER);
    assertThat(ContainerRuntime.of("docker")).contains(ContainerRuntime.DOCKER);
    assertThat(ContainerRuntime.of("lxc")).isEmpty();
  }
}
