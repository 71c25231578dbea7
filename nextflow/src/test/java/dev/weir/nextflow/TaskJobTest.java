package dev.weir.nextflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.jobs.JobFile;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskJobTest {

  @Test
  void anImageInHdfsIsAnInput() {
    assertThat(TaskJob.imageFile("hdfs://ns/images/tools.tar"))
        .contains(new JobFile("/images/tools.tar", ".nextflow-image/tools.tar"));
    assertThat(TaskJob.imageFile("quay.io/biocontainers/bwa:0.7")).isEmpty();
  }

  @Test
  void acceleratorsAreResourceTypesOfYarn() {
    assertThat(TaskJob.resources(null, "fpga")).isEmpty();
    assertThat(TaskJob.resources(2, null)).isEqualTo(Map.of("yarn.io/gpu", 2L));
    assertThat(TaskJob.resources(1, "fpga")).isEqualTo(Map.of("fpga", 1L));
  }

  @Test
  void exitCodeIsTheLastOutput() {
    assertThat(TaskJob.written(false)).containsExactly(".command.out", ".command.err", ".exitcode");
    assertThat(TaskJob.written(true)).contains(".command.env").endsWith(".exitcode");
  }
}
