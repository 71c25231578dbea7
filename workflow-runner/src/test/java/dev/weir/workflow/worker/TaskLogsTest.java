package dev.weir.workflow.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.staging.KeptLog;
import org.junit.jupiter.api.Test;

class TaskLogsTest {

  private static final String LABEL = ".application_1234567890123_123456-1-12.stdout";

  @Test
  void logNamesFitIntoADirectoryForAnyTaskId() {
    for (String letter : new String[] {"a", "\u6f22", "\ud840\udc00"}) {
      for (int letters = 30; letters < 120; letters++) {
        String task = letter.repeat(letters);
        String name = "task-" + TaskLogs.shortName(task) + LABEL;

        assertThat(name.getBytes(UTF_8).length).as(task).isLessThanOrEqualTo(255);
        assertThat(new String(name.getBytes(UTF_8), UTF_8))
            .as("no truncated character")
            .isEqualTo(name);
        assertThat(TaskLogs.parse(task, name))
            .isEqualTo(new KeptLog(task, 12, KeptLog.Stream.STDOUT));
      }
    }
  }
}
