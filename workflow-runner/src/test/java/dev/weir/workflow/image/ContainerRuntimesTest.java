package dev.weir.workflow.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.model.ContainerImage;
import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerRuntimesTest {

  private static final ContainerImage IMAGE = new ContainerImage("tools.tar");

  @TempDir private Path bin;

  private ContainerRuntimes allowed(String value) throws IOException {
    return ContainerRuntimes.of(value, Map.of("PATH", "/none:" + bin));
  }

  private Path install(String name) throws IOException {
    Path program = Files.createFile(bin.resolve(name));
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program;
  }

  @Test
  void choosesTheFirstThatIsInstalled() throws IOException {
    Path podman = install("podman");
    install("docker");

    RuntimeProgram chosen = allowed("apptainer, podman,docker").choose(IMAGE, "n1");

    assertThat(chosen.kind()).isEqualTo(ContainerRuntime.PODMAN);
    assertThat(chosen.path()).isEqualTo(podman);
    assertThat(chosen.argv(List.of("info"))).containsExactly(podman.toString(), "info");
  }

  @Test
  void choosesOneThatCanRunTheImage() throws IOException {
    install("podman");
    Path apptainer = install("apptainer");

    assertThat(allowed("podman," + apptainer).choose(new ContainerImage("t.sif"), "n1").path())
        .isEqualTo(apptainer);
    assertThatExceptionOfType(ContainerException.class)
        .isThrownBy(() -> allowed("podman").choose(new ContainerImage("t.sif"), "n1"))
        .withMessageContaining("only Apptainer runs such an image");
  }

  @Test
  void refusesWhatIsNotAllowed() throws IOException {
    install("podman");

    assertThatExceptionOfType(ContainerException.class)
        .isThrownBy(() -> allowed(ContainerRuntimes.NONE).choose(IMAGE, "n1"))
        .withMessage(
            "the task needs the container 'tools.tar', and n1 allows none: ask the administrator"
                + " to set weir.containers in its weir-site.xml, for example to"
                + " apptainer,singularity,podman")
        .returns(Result.REFUSED, ContainerException::result);
  }

  @Test
  void anotherNodeMayHaveWhatIsMissing() {
    assertThatExceptionOfType(ContainerException.class)
        .isThrownBy(() -> allowed("podman,/opt/docker").choose(IMAGE, "n1"))
        .withMessageContaining(
            "n1 has none of these programs for it: podman, /opt/docker: install one")
        .returns(Result.INFRASTRUCTURE, ContainerException::result);
  }

  @Test
  void refusesUnknownPrograms() {
    assertThatExceptionOfType(ContainerException.class)
        .isThrownBy(() -> allowed("podman,lxc"))
        .withMessageContaining("weir.containers of the node has 'lxc': write podman, docker");
  }

  @Test
  void dockerMustBeAllowedByName() throws IOException {
    install("docker");

    assertThatExceptionOfType(ContainerException.class)
        .isThrownBy(() -> allowed(ContainerRuntimes.DEFAULT).choose(IMAGE, "n1"));
  }
}
