package dev.weir.workflow.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerImageTest {

  @ParameterizedTest
  @ValueSource(strings = {"tools.tar", "images/tools.TAR.GZ", "t.tgz", "t.sif", "t.simg"})
  void anArchiveIsAFile(String image) {
    assertThat(new ContainerImage(image).isFile()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"debian:12", "quay.io/biocontainers/bwa:0.7", "docker://x/y.tar"})
  void anyOtherImageIsAName(String image) {
    assertThat(new ContainerImage(image).isFile()).isFalse();
    assertThat(new ContainerImage(image).isForApptainerOnly()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"t.sif", "library://a/b:1", "oras://a/b:1"})
  void apptainerHasImagesOfItsOwn(String image) {
    assertThat(new ContainerImage(image).isForApptainerOnly()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "-v", "a b", "a\nb", "docker://-v", "docker://"})
  void refusesWhatIsNoImage(String image) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ContainerImage(image))
        .withMessageContaining("write the name of an image");
  }

  @Test
  void theFileOfAnImageIsAnInput() {
    TaskNeeds needs = TaskNeeds.UNKNOWN.withContainer("./images//tools.tar");
    Task task =
        new Task("t", "t", List.of("x"), List.of("in"), List.of("out"), List.of(), 0, needs);

    assertThat(task.inputs()).containsExactly("in", "images/tools.tar");
    assertThat(task.withNeeds(needs)).isEqualTo(task);
    assertThat(needs.orTimeLimit(5).container()).isEqualTo("images/tools.tar");
    assertThat(needs.withContainer("debian:12").imageFile()).isEmpty();
  }
}
