package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.cli.Ran;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {

  @Test
  void copiesOfNoConfigurationAreRefusedBeforeTheExamination(@TempDir Path folder) {
    assumeTrue(System.getenv("HADOOP_CONF_DIR") == null);
    Ran ran = Ran.weir("doctor", "--fix", folder.toString());
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .contains("--fix copies the files of HADOOP_CONF_DIR: set it")
        .contains("eval \"$(weir cluster env)\"");
  }
}
