package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.weir.workflow.delivery.RunNotice;
import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.journal.AttemptLabels;
import dev.weir.workflow.journal.MasterFencing;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.RunClosing.End;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.session.IncompleteCommits;
import dev.weir.workflow.session.RecordingClosingServices;
import dev.weir.workflow.staging.MasterAddress;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The end of a run on a NameNode that may refuse its files. */
class RunClosingTest {

  private static final ApplicationId RUN = ApplicationId.newInstance(1, 1);
  private static final String TEMPORARY = "/data/o.weir-" + AttemptLabels.run(RUN) + "1-1";
  private static final RunPlan PLAN = RecordingClosingServices.PLAN;
  private static final RunFailure FAILURE =
      new RunFailure("t", 1, List.of("run", "t"), 0, "n1", "what the task failed with", "");

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final DistributedFileSystem fs = HDFS.fs();
  private final RecordingClosingServices services = new RecordingClosingServices();
  private final List<RunNotice> notices = new ArrayList<>();
  private Staging staging;

  @BeforeEach
  void makeDirectory() throws IOException {
    staging = RunDirectories.own(fs).directory(RUN.toString());
    fs.delete(staging.directory(), true);
    fs.setQuota(home(), HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_RESET);
    fs.mkdirs(staging.directory());
  }

  private Path home() throws IOException {
    fs.mkdirs(fs.getHomeDirectory());
    return fs.getHomeDirectory();
  }

  private void close(@Nullable RunFailure failure) throws IOException, InterruptedException {
    close(1, failure);
  }

  private void close(int attempt, @Nullable RunFailure failure)
      throws IOException, InterruptedException {
    new RunClosing(
            fs, staging, PLAN, ApplicationAttemptId.newInstance(RUN, attempt), Clock.systemUTC())
        .close(
            services,
            new End(
                new RunRecorder(1, id -> PLAN.workflow().tasks().get(0)),
                failure,
                new EarlierRuns(
                    PLAN,
                    RunDirectories.own(fs),
                    RUN,
                    EarlierRuns.Limits.within(Duration.ofMinutes(1)),
                    Clock.systemUTC()),
                null,
                notices::add));
  }

  @Test
  void recordAndFailureAreWritten() throws Exception {
    close(FAILURE);

    assertThat(services.actions).containsExactly("workers shut down", "what the task failed with|");
    assertThat(staging.names("")).contains(Staging.RECORD, Staging.FAILURE, Staging.SUMMARY);
    assertThat(notices).hasSize(1);
    assertThat(notices.get(0).state()).isEqualTo(RunState.FAILED);
    assertThat(notices.get(0).failure()).isEqualTo(FAILURE.inOneLine());
  }

  @Test
  void failedRunLeavesNoTemporaryFiles() throws Exception {
    Path left = IncompleteCommits.create(fs, TEMPORARY);

    close(FAILURE);

    assertThat(fs.exists(left)).isFalse();
  }

  @Test
  void successfulRunKeepsCommittedOutputs() throws Exception {
    Path output = IncompleteCommits.create(fs, "/data/o");
    Path left = IncompleteCommits.create(fs, TEMPORARY);
    IncompleteCommits.mark(fs, left, output);

    close(2, null);

    assertThat(fs.exists(left)).isFalse();
    assertThat(fs.exists(output)).isTrue();
  }

  @Test
  void secretIsAvailableToTheNextMasterUntilTheEnd() throws Exception {
    MasterFencing first = fencing(1);
    first.publish("m1", 1);

    MasterFencing second = fencing(2);
    second.publish("m2", 2);

    assertThat(second.secret().toHex()).isEqualTo(first.secret().toHex());
    assertThat(staging.readJson(Staging.MASTER, MasterAddress.class))
        .isEqualTo(new MasterAddress(2, "m2", 2, first.secret().toHex(), 720_000));
    close(2, null);
    assertThat(staging.names("")).doesNotContain(Staging.MASTER);
  }

  private MasterFencing fencing(int attempt) throws InterruptedException {
    return MasterFencing.of(
        MasterFencing.in(staging),
        new MasterFencing.Term(attempt, Duration.ofMinutes(12)),
        HdfsRetry.DEFAULT);
  }

  @Test
  void replacedMasterDoesNotEndTheRun() throws Exception {
    services.fencing = fencing(1);
    services.fencing.publish("m1", 1);
    MasterFencing second = fencing(2);

    assertThatIOException().isThrownBy(() -> close(null)).withMessageContaining("Master 2");

    assertThat(services.actions).isEmpty();
    assertThat(staging.names("")).containsExactly(Staging.MASTER);
    second.requireLast();
  }

  @Test
  void runEndedByAnotherMasterIsNotEndedAgain() throws Exception {
    services.fencing = fencing(1);
    services.fencing.publish("m1", 1);
    MasterFencing second = fencing(2);
    second.publish("m2", 2);
    staging.tidy(true);

    assertThatIOException().isThrownBy(() -> close(FAILURE)).withMessageContaining("has ended");

    assertThat(services.actions).isEmpty();
    assertThat(staging.names("")).as("the other master's record is not replaced").isEmpty();
  }

  @Test
  void runThatExceededAQuotaEndsWithoutItsRecord() throws Exception {
    fs.setQuota(home(), HdfsConstants.QUOTA_DONT_SET, 1 << 20);

    close(FAILURE);

    assertThat(services.actions)
        .hasSize(2)
        .last()
        .asString()
        .startsWith("what the task failed with|")
        .contains("the record could not be written", Staging.RECORD, "quota", "-clrSpaceQuota");
    assertThat(staging.names("")).doesNotContain(Staging.RECORD, Staging.FAILURE);
  }

  @Test
  void successIsReportedEvenIfTheRecordCannotBeWritten() throws Exception {
    fs.setQuota(home(), HdfsConstants.QUOTA_DONT_SET, 1 << 20);

    close(null);

    assertThat(services.actions)
        .hasSize(2)
        .last()
        .asString()
        .startsWith("SUCCEEDED|all tasks are done; the record could not be written")
        .contains("-clrSpaceQuota");
  }
}
