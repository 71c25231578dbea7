package dev.weir.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobTextTest {

  private static JobStatus job(JobState state, int exitCode, String message, String stderr) {
    return new JobStatus(
        "align-17",
        "align",
        state,
        1,
        new JobStatus.Result(exitCode, "n1", message, stderr),
        new JobStatus.Times(1, 2, 3, 1_500),
        new JobStatus.Traffic(10, 20, 30),
        1);
  }

  @Test
  void describesTheEndOfAJob() {
    assertThat(JobText.of(job(JobState.SUCCEEDED, 0, "", "")))
        .isEqualTo(
            "align-17: succeeded on n1, exit code 0, ran 1.5 s, read 10 bytes of its node and 20 of"
                + " others, wrote 30"
                + System.lineSeparator());
    assertThat(JobText.of(job(JobState.FAILED, 3, "the command exited with 3", "a\nb")).lines())
        .containsExactly(
            "align-17: failed on n1, exit code 3: the command exited with 3", "  a", "  b");
    assertThat(JobText.table(List.of(job(JobState.CANCELLED, -1, "cancelled", ""))).lines())
        .hasSize(2)
        .last()
        .asString()
        .matches("align-17 +align +cancelled +1 +n1 +cancelled");
    assertThat(JobText.table(List.of())).startsWith("No jobs.");
  }

  @Test
  void exitCodeIsThatOfTheJob() {
    assertThat(JobText.exitCode(job(JobState.SUCCEEDED, 0, "", ""))).isZero();
    assertThat(JobText.exitCode(job(JobState.FAILED, 3, "", ""))).isEqualTo(3);
    assertThat(JobText.exitCode(job(JobState.FAILED, 0, "output missing", ""))).isEqualTo(125);
    assertThat(JobText.exitCode(job(JobState.CANCELLED, -1, "", ""))).isEqualTo(125);
  }
}
