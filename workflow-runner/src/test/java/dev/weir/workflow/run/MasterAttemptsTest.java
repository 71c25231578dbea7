package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.util.Records;
import org.junit.jupiter.api.Test;

/** What YARN is told to do when the ApplicationMaster of a run dies. */
class MasterAttemptsTest {

  @Test
  void deathsThatAreFarApartDoNotAddUp() {
    ApplicationSubmissionContext context = Records.newRecord(ApplicationSubmissionContext.class);

    WorkflowRunner.survive(context);

    assertThat(context.getMaxAppAttempts()).isEqualTo(2);
    assertThat(Duration.ofMillis(context.getAttemptFailuresValidityInterval()))
        .as("longer than YARN takes to miss one that hangs")
        .isEqualTo(Duration.ofHours(1));
    assertThat(context.getKeepContainersAcrossApplicationAttempts()).isTrue();
  }
}
