package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.workflow.client.Submission;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.yarn.api.records.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MasterMemoryTest {

  @ParameterizedTest
  @CsvSource({"512, 320", "1024, 640", "4096, 2560", "2147483647, 1342177279"})
  void heapIsFiveEighthsOfTheMemory(int megabytes, int heap) {
    assertThat(new MasterMemory(megabytes).heapMegabytes()).isEqualTo(heap);
  }

  @ParameterizedTest
  @ValueSource(ints = {511, 0, -1})
  void tooLittleMemoryIsRefused(int megabytes) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MasterMemory(megabytes))
        .withMessage(
            "An ApplicationMaster of "
                + megabytes
                + " MiB is too small: give it 512 or more with --master-memory");
  }

  @Test
  void memoryBeyondYarnsMaximumIsRefused() {
    assertThatExceptionOfType(RunException.class)
        .isThrownBy(
            () ->
                Submission.requireGranted(
                    WorkerPlan.DEFAULT, new MasterMemory(2048), Resource.newInstance(2047, 1)))
        .withMessageContaining("An ApplicationMaster of 2048 MiB is more than YARN gives")
        .withMessageContaining("--master-memory");
  }

  @Test
  void planStoresTheMemory() {
    Map<String, String> settings = Map.of("a", "b");
    assertThat(MasterMemory.DEFAULT.addTo(settings)).isEqualTo(settings);
    assertThat(MasterMemory.of(settings)).isEqualTo(MasterMemory.DEFAULT);
    assertThat(MasterMemory.of(new MasterMemory(1024).addTo(settings)))
        .isEqualTo(new MasterMemory(1024));
    assertThat(new MasterMemory(1024).addTo(settings)).containsEntry("a", "b");
  }

  @Test
  void masterWithoutHeapHasAnExitCodeOfItsOwn() {
    OutOfMemoryError error = new OutOfMemoryError("Java heap space");
    assertThat(MasterMemory.exitCode(error)).isEqualTo(3);
    assertThat(MasterMemory.exitCode(new ExecutionException(new IOException(error)))).isEqualTo(3);
    assertThat(MasterMemory.exitCode(new ExecutionException(new IOException("other"))))
        .isEqualTo(1);
  }

  @Test
  void memoryFailureNamesTheOption() {
    assertThat(
            MasterMemory.remedy(
                "AM Container for appattempt_1_0007_000002 exited with  exitCode: -104\n"
                    + "Container is running 1B beyond the 'PHYSICAL' memory limit."))
        .startsWith("\n")
        .contains("--master-memory");
    assertThat(MasterMemory.remedy("exited with  exitCode: 3\nFailing this attempt"))
        .contains("--master-memory");
    assertThat(MasterMemory.remedy("exited with  exitCode: 35")).isEmpty();
    assertThat(MasterMemory.remedy("exited with  exitCode: 1")).isEmpty();
    assertThat(MasterMemory.remedy("exited with  exitCode: -100")).isEmpty();
    assertThat(MasterMemory.remedy("")).isEmpty();
  }
}
