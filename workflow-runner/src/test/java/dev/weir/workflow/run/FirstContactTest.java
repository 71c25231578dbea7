package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;

class FirstContactTest {

  private static DistributedFileSystem hdfs(boolean safeMode) {
    return new DistributedFileSystem() {
      @Override
      public boolean isInSafeMode() {
        return safeMode;
      }

      @Override
      public URI getUri() {
        return URI.create("hdfs://nn:8020");
      }
    };
  }

  @Test
  void safeModeIsRefusedWithWhatToDo() throws IOException {
    try (DistributedFileSystem fs = hdfs(true)) {
      assertThatThrownBy(() -> FirstContact.requireWritable(fs))
          .isInstanceOf(RunException.class)
          .hasMessageContaining("hdfs://nn:8020 is in safe mode")
          .hasMessageContaining("-safemode wait")
          .hasMessageContaining("-safemode leave");
    }
  }

  @Test
  void anHdfsThatTakesFilesIsFine() throws IOException {
    try (DistributedFileSystem fs = hdfs(false)) {
      assertThatCode(() -> FirstContact.requireWritable(fs)).doesNotThrowAnyException();
    }
  }
}
