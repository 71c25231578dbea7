package dev.weir.workflow.jobserver;

import dev.weir.workflow.delivery.RunOutline;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.RunTotals;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.run.RunRecorder;
import dev.weir.workflow.staging.RunSummary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a session as one run. Its tasks are the known jobs; its data directory is the deepest
 * one above all their files.
 *
 * @param record of all attempts that have ended
 */
public record JobsRecord(RunRecord record, RunOutline outline, RunSummary summary) {

  /**
   * The owner of the jobs.
   *
   * @param id of the session
   * @param name name of the session
   * @param mode label of its mode
   * @param home absolute path of the user's home in HDFS, the data directory of jobs without files
   */
  public record Owner(String id, String name, String mode, String user, String home) {}

  /**
   * Builds the record of the jobs of an ending session.
   *
   * @param failure the session's failure; null for none
   * @return empty when no attempt at a job has ended
   */
  public static Optional<JobsRecord> of(
      JobRegistry jobs, Owner owner, CacheTraffic caches, @Nullable String failure, long ended) {
    String reason = failure == null ? reason(jobs) : failure;
    RunState state = state(jobs, failure);
    String name = "jobs of " + owner.name();
    List<Job> known = new ArrayList<>();
    jobs.forEach((job, status) -> known.add(job));
    String directory = directory(known).orElse(owner.home());
    return jobs.recorded(new RunRecorder.Name(owner.id(), name, owner.mode()), state, ended)
        .map(record -> below(directory, record).with(caches))
        .map(
            record ->
                new JobsRecord(
                    record,
                    outline(known, name, owner.mode(), directory),
                    summary(record, owner, directory, known.size())
                        .ended(end(record, jobs.count(JobState.SUCCEEDED), reason))));
  }

  /** Returns why not all jobs have succeeded; null when they have. */
  @Nullable public String reason() {
    RunSummary.End end = summary.end();
    return end == null || end.reason().isEmpty() ? null : end.reason();
  }

  private static int open(JobRegistry jobs) {
    return jobs.count(JobState.QUEUED) + jobs.count(JobState.RUNNING);
  }

  private static RunState state(JobRegistry jobs, @Nullable String failure) {
    if (failure != null || jobs.count(JobState.FAILED) > 0) {
      return RunState.FAILED;
    }
    boolean all = open(jobs) + jobs.count(JobState.CANCELLED) == 0;
    return all ? RunState.SUCCEEDED : RunState.CANCELLED;
  }

  private static String reason(JobRegistry jobs) {
    int failed = jobs.count(JobState.FAILED);
    int cancelled = jobs.count(JobState.CANCELLED);
    int open = open(jobs);
    return failed + cancelled + open == 0
        ? ""
        : failed + " jobs failed, " + cancelled + " were cancelled, " + open + " had not ended";
  }

  /** Returns the deepest directory above all files; empty without files. */
  private static Optional<String> directory(List<Job> jobs) {
    return jobs.stream()
        .flatMap(
            job ->
                Stream.concat(
                    Stream.concat(job.inputs().stream(), job.outputs().stream())
                        .map(file -> file.path().substring(0, file.path().lastIndexOf('/'))),
                    job.globs().stream().map(JobFile::path)))
        .reduce(JobsRecord::common)
        .map(directory -> directory.isEmpty() ? "/" : directory);
  }

  private static String common(String one, String other) {
    String common = one;
    while (!(other + "/").startsWith(common + "/")) {
      common = common.substring(0, common.lastIndexOf('/'));
    }
    return common;
  }

  /** The id of a job's file is its path without the leading slash. */
  private static String below(String directory, String file) {
    return directory.equals("/") || !("/" + file).startsWith(directory + "/")
        ? file
        : file.substring(directory.length());
  }

  private static RunRecord below(String directory, RunRecord record) {
    return new RunRecord(
        record.runId(),
        record.workflow(),
        record.mode(),
        record.state(),
        record.started(),
        record.ended(),
        record.workers(),
        record.tasks().stream().map(attempt -> below(directory, attempt)).toList());
  }

  private static TaskRecord below(String directory, TaskRecord attempt) {
    return TaskRecord.builder(attempt.task(), attempt.type(), attempt.attempt())
        .worker(attempt.worker(), attempt.node())
        .outcome(attempt.outcome(), attempt.exitCode())
        .times(attempt.ready(), attempt.dispatched())
        .phases(attempt.phases())
        .traffic(attempt.traffic())
        .files(
            filesBelow(directory, attempt.files().inputs()),
            filesBelow(directory, attempt.files().outputs()))
        .effort(attempt.effort())
        .placement(attempt.placement())
        .message(attempt.message())
        .build();
  }

  private static List<FileRecord> filesBelow(String directory, List<FileRecord> files) {
    return files.stream()
        .map(
            file ->
                new FileRecord(
                    below(directory, file.file()),
                    file.bytes(),
                    file.crc32c(),
                    file.nodes(),
                    file.caches(),
                    file.onNode()))
        .toList();
  }

  private static RunOutline outline(List<Job> jobs, String name, String mode, String directory) {
    List<Task> tasks = new ArrayList<>();
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (Job job : jobs) {
      Task task = job.task();
      tasks.add(
          new Task(
              task.id(),
              task.type(),
              task.command(),
              task.inputs().stream().map(file -> below(directory, file)).toList(),
              task.outputs().stream().map(file -> below(directory, file)).toList(),
              List.of(),
              task.runtimeSeconds(),
              task.needs()));
      for (List<JobFile> named : List.of(job.inputs(), job.outputs())) {
        for (JobFile file : named) {
          String id = below(directory, file.id());
          files.put(id, new DataFile(id, file.sizeBytes()));
        }
      }
    }
    return new RunOutline(name, mode, directory, false, tasks, files);
  }

  private static RunSummary summary(RunRecord record, Owner owner, String directory, int jobs) {
    return new RunSummary(
        owner.id(),
        owner.user(),
        record.workflow(),
        record.mode(),
        directory,
        jobs,
        record.started().toString(),
        "",
        null);
  }

  private static RunSummary.End end(RunRecord record, int done, String reason) {
    RunTotals totals = record.totals();
    return new RunSummary.End(
        record.state(),
        record.ended().toString(),
        done,
        0,
        totals.unsuccessfulAttempts(),
        totals.traffic().inputLocal(),
        totals.traffic().inputRemote(),
        reason);
  }
}
