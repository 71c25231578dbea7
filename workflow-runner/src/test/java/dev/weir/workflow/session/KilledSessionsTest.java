package dev.weir.workflow.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.controller.TestRun;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobCodec;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobOptions;
import dev.weir.workflow.journal.AttemptLabels;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.ReadFile;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.run.Plans;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphAdded;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphGrown;
import dev.weir.workflow.scheduler.api.DispatchRecord.TaskAdded;
import dev.weir.workflow.scheduler.api.JobAddition;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.staging.AddedTasks;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The next session cleans up after one that was killed between the renames of a job. */
class KilledSessionsTest {

  private static final ApplicationId KILLED = ApplicationId.newInstance(7, 2);
  private static final String RUN = ApplicationId.newInstance(7, 9).toString();
  private static final Path SESSIONS = new Path("/user/ann/.weir/sessions");

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final DistributedFileSystem fs = HDFS.fs();
  private final Staging own =
      new Staging(fs, new Path(SESSIONS, ApplicationId.newInstance(7, 3).toString()));
  private final Path killed = new Path(SESSIONS, KILLED.toString());

  @BeforeEach
  void killSession() throws Exception {
    fs.delete(new Path("/data"), true);
    fs.delete(SESSIONS.getParent(), true);
    fs.mkdirs(own.directory());
    fs.mkdirs(killed);
    Job job =
        new Job(
            "j",
            "",
            List.of("true"),
            Map.of(),
            List.of(),
            List.of(new JobFile("/data/a", "a"), new JobFile("/data/b", "b")),
            List.of(new JobFile("/data/found", "*")),
            JobOptions.DEFAULT);
    JobAddition addition =
        new JobAddition(job.task(), job.files(), Map.of(), 1, 0, JobCodec.write(job), Set.of());
    try (Journal journal = new Journal(fs, killed, 1, Journal.PAUSE_MILLIS, () -> {})) {
      journal.start();
      List<DispatchRecord> records = List.of(new TaskAdded(addition, 5));
      journal.append(records);
      journal.written().get(1, TimeUnit.MINUTES);
      journal.finish();
    }
    IncompleteCommits.halfCommit(fs, "/data", AttemptLabels.run(KILLED) + "1-1");
  }

  private int countTemporaryFiles() throws IOException {
    return fs.listStatus(new Path("/data")).length;
  }

  private void cleanUp() {
    new KilledSessions(fs, own).cleanUp();
  }

  @Test
  void incompleteCommitIsRolledBackAndTheSessionRemoved() throws Exception {
    own.writeJson(Staging.ENDED, List.of(KILLED.toString()));

    cleanUp();

    assertThat(countTemporaryFiles()).isZero();
    assertThat(fs.exists(killed)).isFalse();
  }

  @Test
  void directoryOfFoundOutputsIsRemoved() throws Exception {
    own.writeJson(Staging.ENDED, List.of(KILLED.toString()));
    Path directory = new Path("/data/found");
    Path unused =
        IncompleteCommits.create(fs, directory + "/.weir-" + AttemptLabels.run(KILLED) + "1-1/one");

    cleanUp();

    assertThat(fs.listStatus(directory)).isEmpty();
  }

  @Test
  void partOfACopyOfAFileOnANodeIsRemoved() throws Exception {
    own.writeJson(Staging.ENDED, List.of(KILLED.toString()));
    fs.delete(new Path("/data"), true);
    endJob();
    for (String file : List.of("a", "b")) {
      IncompleteCommits.create(
          fs, "/data/" + file + ".weir-" + AttemptLabels.run(KILLED) + "1-0-000002");
    }

    cleanUp();

    assertThat(fs.listStatus(new Path("/data")))
        .as("only a is on a node")
        .extracting(file -> file.getPath().getName())
        .singleElement()
        .asString()
        .startsWith("b.weir");
  }

  /** The job has ended; a node has one of its outputs. */
  private void endJob() throws Exception {
    List<StoredFile> outputs =
        List.of(
            new StoredFile("data/a", 3, Map.of("n1", 3L), 6, List.of(), 0, 70),
            new StoredFile("data/b", 3, Map.of("n1", 3L), 6));
    append(
        new AttemptEnded(
            new WorkerInfo("w1", "n1", "/r"),
            60,
            70,
            90,
            new TaskReport(
                "j",
                1,
                TaskReport.Result.SUCCEEDED,
                0,
                "",
                "",
                List.of(),
                outputs,
                TaskReport.Usage.NONE),
            false,
            false,
            null));
  }

  private Path journal() throws IOException {
    return fs.listStatus(killed)[0].getPath();
  }

  @Test
  void longJournalsAreRemovedUnread() throws Exception {
    own.writeJson(Staging.ENDED, List.of(KILLED.toString()));

    long limit = fs.getFileStatus(journal()).getLen() - 1;
    new KilledSessions(fs, own, limit, limit).cleanUp();

    assertThat(countTemporaryFiles()).isEqualTo(2);
    assertThat(fs.exists(killed)).isFalse();
  }

  @Test
  void openJournalsCountTowardsTheLimit() throws Exception {
    own.writeJson(Staging.ENDED, List.of(KILLED.toString()));
    Path journal = journal();
    byte[] lines;
    try (FSDataInputStream in = fs.open(journal)) {
      lines = in.readAllBytes();
    }
    // Must stay open: the file is deleted before it could be closed.
    FSDataOutputStream open = fs.create(journal, true);
    // The NameNode learns of the first flush only.
    open.write(lines, 0, 1);
    open.hflush();
    open.write(lines, 1, lines.length - 1);
    open.hflush();
    assertThat(fs.getFileStatus(journal).getLen()).isLessThan(lines.length - 1);

    new KilledSessions(fs, own, lines.length - 1, lines.length - 1).cleanUp();

    assertThat(countTemporaryFiles()).isEqualTo(2);
    assertThat(fs.exists(killed)).isFalse();
  }

  @Test
  void filesOfAnotherWriterStay() throws Exception {
    own.writeJson(Staging.ENDED, List.of(KILLED.toString()));
    fs.create(new Path("/data/a"), true).close();

    cleanUp();

    assertThat(fs.exists(new Path("/data/a"))).isTrue();
    assertThat(countTemporaryFiles()).isEqualTo(1);
  }

  @Test
  void filesOfALiveSessionStay() throws Exception {
    own.writeJson(Staging.ENDED, List.of());

    cleanUp();

    assertThat(countTemporaryFiles()).isEqualTo(2);
    assertThat(fs.exists(killed)).isTrue();
  }

  @Test
  void missingSessionDirectoryIsNoFailure() throws Exception {
    own.writeJson(
        Staging.ENDED, List.of(ApplicationId.newInstance(7, 1).toString(), KILLED.toString()));

    cleanUp();

    assertThat(countTemporaryFiles()).isZero();
  }

  @Test
  void nothingIsRemovedIfEndedSessionsAreUnknown() throws Exception {
    cleanUp();

    assertThat(countTemporaryFiles()).isEqualTo(2);
  }

  @Test
  void runOfAKilledSessionGetsItsRecord() throws Exception {
    own.writeJson(Staging.ENDED, List.of(KILLED.toString()));
    Staging run = runOfKilled();
    WorkerInfo worker = new WorkerInfo("w1", "n1", "/r");
    StoredFile output = new StoredFile(RUN + ":fa", 3, Map.of("n1", 3L), 6);
    TaskReport report =
        new TaskReport(
            RUN + ":a",
            1,
            TaskReport.Result.SUCCEEDED,
            0,
            "",
            "",
            List.of(),
            List.of(output),
            TaskReport.Usage.NONE,
            List.of(new ReadFile(RUN + ":in", 10, 5)),
            ResourceUse.NONE);
    append(
        new GraphAdded(RUN, 0, 50),
        new AttemptEnded(worker, 60, 70, 90, report, false, false, null));

    cleanUp();

    RunSummary.End end = Optional.ofNullable(summary(run).end()).orElseThrow();
    assertThat(end.state()).isEqualTo(RunState.FAILED);
    assertThat(end.reason()).contains("its session was killed");
    assertThat(end.done()).isEqualTo(1);
    assertThat(run.names("")).contains(Staging.RECORD);
    try (BufferedReader done = RunDirectories.besideSessions(fs, own).done(RUN)) {
      assertThat(done).as("the next run reuses these tasks").isNotNull();
    }
    assertThat(fs.exists(killed)).isFalse();
  }

  @Test
  void journalledTasksOfAKilledSessionAreAddedToThePlan() throws Exception {
    own.writeJson(Staging.ENDED, List.of(KILLED.toString()));
    Staging run = runOfKilled();
    String file =
        new AddedTasks(Plans.of(1, Plans.task("more", List.of(), List.of("fm"))).workflow())
            .write(run, Clock.systemUTC());
    TaskReport report =
        new TaskReport(
            RUN + ":more",
            1,
            TaskReport.Result.SUCCEEDED,
            0,
            "",
            "",
            List.of(),
            List.of(new StoredFile(RUN + ":fm", 3, Map.of("n1", 3L), 6)),
            TaskReport.Usage.NONE);
    append(
        new GraphAdded(RUN, 0, 50),
        new GraphGrown(RUN, "request", file, 55),
        new AttemptEnded(new WorkerInfo("w1", "n1", "/r"), 60, 70, 90, report, false, false, null));

    cleanUp();

    assertThat(AddedTasks.readPlan(run).workflow().tasks()).extracting("id").contains("more");
    RunSummary.End end = Optional.ofNullable(summary(run).end()).orElseThrow();
    assertThat(end.done()).isEqualTo(1);
    assertThat(summary(run).tasks()).isEqualTo(TestRun.PLAN.workflow().tasks().size() + 1);
  }

  @Test
  void journalStaysWhileARunCannotBeEnded() throws Exception {
    own.writeJson(Staging.ENDED, List.of(KILLED.toString()));
    Staging run = runOfKilled();

    long length = fs.getFileStatus(journal()).getLen();
    new KilledSessions(fs, own, length, length - 1).cleanUp();

    assertThat(summary(run).end()).isNull();
    assertThat(fs.exists(killed)).isTrue();
  }

  @Test
  void journalStaysWhileARecordCannotBeWritten() throws Exception {
    own.writeJson(Staging.ENDED, List.of(KILLED.toString()));
    Staging run = runOfKilled();
    Path record = new Path(run.directory(), Staging.RECORD);
    fs.create(new Path(record, "in-the-way")).close();

    cleanUp();

    assertThat(summary(run).end()).isNull();
    assertThat(fs.exists(killed)).isTrue();

    fs.delete(record, true);
    cleanUp();

    assertThat(summary(run).end()).isNotNull();
    assertThat(fs.exists(killed)).isFalse();
  }

  /** Returns the directory of a run that has not ended. */
  private Staging runOfKilled() throws IOException {
    Staging run = RunDirectories.besideSessions(fs, own).directory(RUN);
    fs.delete(run.directory(), true);
    fs.mkdirs(run.directory());
    run.writeJson(Staging.PLAN, TestRun.PLAN);
    run.writeJson(
        Staging.SUMMARY,
        RunSummary.of(RUN, TestRun.PLAN, Instant.ofEpochMilli(40)).in(KILLED.toString()));
    return run;
  }

  private static RunSummary summary(Staging run) throws IOException {
    return run.readJson(Staging.SUMMARY, RunSummary.class);
  }

  private void append(DispatchRecord... records) throws Exception {
    try (Journal journal = new Journal(fs, killed, 2, Journal.PAUSE_MILLIS, () -> {})) {
      journal.start();
      journal.append(List.of(records));
      journal.written().get(1, TimeUnit.MINUTES);
      journal.finish();
    }
  }
}
