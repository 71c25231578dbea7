package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.RunProgress.Phase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressDisplayTest {

  @ParameterizedTest
  @CsvSource({
    "RUNNING, 1, '1/2 tasks 0:00'",
    "RUNNING, 2, '2/2 tasks, waiting for HDFS 0:00'",
    "FINISHING, 2, '2/2 tasks 0:00'",
    "STARTING, 0, 'waiting for workers 0:00'",
  })
  void aRunWhoseTasksAreDoneMayWaitForHdfs(Phase phase, int done, String line) {
    StringWriter text = new StringWriter();
    Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

    new ProgressDisplay(new PrintWriter(text), false, clock)
        .accept(
            new RunProgress(
                phase, 2, done, 0, List.of(), 1, 0, 0, 0, List.of(), Progress.Details.NONE));

    assertThat(text.toString().strip()).isEqualTo(line);
  }
}
