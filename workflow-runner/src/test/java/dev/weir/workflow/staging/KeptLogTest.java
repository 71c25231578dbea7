package dev.weir.workflow.staging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.staging.KeptLog.Stream;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.junit.jupiter.api.Test;

class KeptLogTest {

  @Test
  void namesOfLogsRoundTrip() {
    for (String task : List.of("t", "a.1", "a:b", "wide \u00e9\u4e2d " + "x".repeat(300))) {
      KeptLog log = new KeptLog(task, 12, Stream.STDERR);

      assertThat(DFSUtilClient.isValidName("/" + log.fileName())).as(log.fileName()).isTrue();
      assertThat(KeptLog.parse(task, log.fileName())).contains(log);
    }
  }

  @Test
  void logsOfOtherTasksAreIgnored() {
    KeptLog log = new KeptLog("a", 1, Stream.STDOUT);

    assertThat(KeptLog.parse("a", new KeptLog("a.1", 1, Stream.STDOUT).fileName())).isEmpty();
    assertThat(KeptLog.parse("a.1", log.fileName())).isEmpty();
    assertThat(KeptLog.parse("a", "status.json")).isEqualTo(Optional.empty());
    assertThat(new KeptLog("a:b", 1, Stream.STDOUT).fileName())
        .isNotEqualTo(new KeptLog("a_b", 1, Stream.STDOUT).fileName());
  }
}
