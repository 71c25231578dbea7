package dev.weir.workflow.jobserver;

import static dev.weir.workflow.jobserver.TestSessions.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.WorkerRecord;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.session.JobsClosing;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The record that a session writes of its jobs. */
class JobsRecordTest extends SessionTestBase {
  private static final long END = 9_000_000_000_000L;
  private static final JobsRecord.Owner OWNER =
      new JobsRecord.Owner("application_1_0007", "mine", "weir", "ann", "/user/ann");
  private static final CacheTraffic CACHES = new CacheTraffic(1);

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private JobsRecord record(@Nullable String failure) {
    return JobsRecord.of(session.jobs, OWNER, CACHES, failure, END).orElseThrow();
  }

  /** Submits a job that writes a file of three bytes, and a job that waits for it. */
  private void submitTwo() throws Exception {
    session.join();
    sessions.client.submit(job("makes", List.of(), List.of(new JobFile("/user/ann/y/out", "out"))));
    sessions.client.submit(job("reads", List.of(new JobFile("/user/ann/y/out", "in")), List.of()));
    session.report("makes", Result.SUCCEEDED, 0, "out");
    await().until(() -> sessions.client.status("reads").state() == JobState.RUNNING);
  }

  private void finishSecond(Result result) throws Exception {
    session.report("reads", result, result == Result.SUCCEEDED ? 0 : 3);
    await().until(() -> sessions.client.status("reads").state().isFinal());
  }

  @Test
  void intermediateOutputsAreKnownAtTheEndOfTheSession() throws Exception {
    session.join();
    JobFile kept = new JobFile("/user/ann/y/kept", "kept").asIntermediate();
    JobFile result = new JobFile("/user/ann/y/out", "out");

    sessions.client.submit(job("makes", List.of(), List.of(kept, result)));

    assertThat(session.jobs.intermediatePaths()).containsExactly("/user/ann/y/kept");
  }

  @Test
  void sessionWithoutJobsHasNoRecord() {
    assertThat(JobsRecord.of(session.jobs, OWNER, CACHES, null, END)).isEmpty();
  }

  @Test
  void jobsAreTasksOfARunWithTheSessionsId() throws Exception {
    submitTwo();
    finishSecond(Result.SUCCEEDED);

    JobsRecord jobs = record(null);

    assertThat(jobs.record().runId()).isEqualTo("application_1_0007");
    assertThat(jobs.record().state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(jobs.record().caches()).isEqualTo(CACHES);
    assertThat(jobs.record().workers()).extracting(WorkerRecord::id).containsExactly("w1");
    assertThat(jobs.record().tasks())
        .extracting(TaskRecord::task, TaskRecord::outcome, TaskRecord::node)
        .containsExactly(
            tuple("makes", Outcome.SUCCEEDED, "n1"), tuple("reads", Outcome.SUCCEEDED, "n1"));
    assertThat(jobs.record().tasks().get(0).files().outputs())
        .extracting(FileRecord::file)
        .containsExactly("out");
    assertThat(jobs.outline().dataDir()).isEqualTo("/user/ann/y");
    assertThat(jobs.outline().tasks()).extracting(Task::outputs).first().isEqualTo(List.of("out"));
    assertThat(jobs.summary().workflow()).isEqualTo("jobs of mine");
    assertThat(jobs.summary().tasks()).isEqualTo(2);
    assertThat(end(jobs).done()).isEqualTo(2);
    assertThat(jobs.reason()).isNull();
  }

  private static RunSummary.End end(JobsRecord jobs) {
    return Optional.ofNullable(jobs.summary().end()).orElseThrow();
  }

  @Test
  void failedJobFailsTheRecord() throws Exception {
    submitTwo();
    finishSecond(Result.FAILED);

    assertThat(record(null).record().state()).isEqualTo(RunState.FAILED);
    assertThat(end(record(null)).failedAttempts()).isEqualTo(1);
    assertThat(record(null).reason()).isEqualTo("1 jobs failed, 0 were cancelled, 0 had not ended");
  }

  @Test
  void unfinishedJobCancelsTheRecord() throws Exception {
    submitTwo();

    assertThat(record(null).record().state()).isEqualTo(RunState.CANCELLED);
    assertThat(record("no worker starts").record().state()).isEqualTo(RunState.FAILED);
    assertThat(record("no worker starts").reason()).isEqualTo("no worker starts");
  }

  @Test
  void filesWithoutACommonDirectoryAreBelowTheRootDirectory() throws Exception {
    sessions.hdfs.put("/data/x", Map.of("n1", 3L));
    session.join();
    JobFile in = new JobFile("/data/x", "in");
    sessions.client.submit(job("a", List.of(in), List.of(new JobFile("/out/y", "out"))));
    session.report("a", Result.SUCCEEDED, 0, "out");
    await().until(() -> sessions.client.status("a").state().isFinal());

    JobsRecord jobs = record(null);

    assertThat(jobs.outline().dataDir()).isEqualTo("/");
    assertThat(jobs.outline().files()).containsOnlyKeys("data/x", "out/y");
  }

  @Test
  void recordIncludesJobsOfEarlierMasters() throws Exception {
    submitTwo();
    session.close();
    session = sessions.start(2);

    assertThat(record(null).record().tasks()).extracting(TaskRecord::task).containsExactly("makes");
  }

  @Test
  void recordExcludesForgottenJobs() throws Exception {
    submitTwo();
    finishSecond(Result.SUCCEEDED);

    session.jobs.remove(List.of("makes"));

    assertThat(record(null).record().tasks()).extracting(TaskRecord::task).containsExactly("reads");
  }

  @Test
  void recordIsWrittenBesideTheRecordsOfRuns() throws Exception {
    submitTwo();
    RunDirectories directories = RunDirectories.own(HDFS.fs());
    JobsRecord jobs = record(null);

    new JobsClosing(new Configuration(false), directories).close(jobs);

    Staging left = directories.directory("application_1_0007");
    assertThat(left.readJson(Staging.SUMMARY, RunSummary.class)).isEqualTo(jobs.summary());
    assertThat(directories.ids()).extracting(Object::toString).contains("application_1_0007");
    java.nio.file.Path copy = temp.resolve("run.json");
    HDFS.fs().copyToLocalFile(left.file(Staging.RECORD), new Path(copy.toUri()));
    assertThat(RunRecordCodec.read(copy)).isEqualTo(jobs.record());
  }
}
