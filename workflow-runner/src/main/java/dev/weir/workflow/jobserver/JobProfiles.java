package dev.weir.workflow.jobserver;

import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.run.RunRecorder;
import dev.weir.workflow.run.TaskProfileStore;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.TaskProfiles.Profile;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures the kinds of jobs in a session, beside the stored profiles. Bounded: keeps the last jobs
 * of each kind and a limited number of kinds. Thread-safe.
 */
public final class JobProfiles {

  /** The number of jobs kept for each kind. */
  private static final int KEPT = 64;

  /** The number of kinds kept, the most recent ones. */
  private static final int MOST_KINDS = 256;

  /** Profiles are recomputed when this fraction of the attempts is new, which bounds the cost. */
  private static final int NEW_PART = 8;

  /** The kind of jobs without one: they only count as neighbours of others. */
  private static final String NO_KIND = "";

  private final TaskProfiles before;
  private final int workerCores;
  private final Map<String, Deque<TaskRecord>> last = new LinkedHashMap<>(16, 0.75f, true);
  private TaskProfiles now;
  private int unlearned;

  /**
   * Creates profiles before the first job.
   *
   * @param before the stored profiles
   * @param workerCores how many cores each worker has
   */
  public JobProfiles(TaskProfiles before, int workerCores) {
    this.before = before;
    this.workerCores = workerCores;
    this.now = before;
  }

  /** Returns the profile of a job's kind; empty when there is none or the job has no kind. */
  public synchronized Optional<Profile> of(Task job) {
    Optional<String> kind = Job.kind(job);
    if (kind.isPresent() && unlearned * NEW_PART > kept()) {
      now = TaskProfileStore.after(before, attempts(), workerCores);
      unlearned = 0;
    }
    return kind.flatMap(now::of);
  }

  private int kept() {
    return last.values().stream().mapToInt(Deque::size).sum();
  }

  /** Adds an attempt at a job. */
  public synchronized void ended(Task job, AttemptEnded ended) {
    if (ended.report().result() != TaskReport.Result.SUCCEEDED) {
      return;
    }
    String kind = Job.kind(job).orElse(NO_KIND);
    Deque<TaskRecord> same = last.computeIfAbsent(kind, k -> new ArrayDeque<>());
    same.add(record(kind, ended));
    if (same.size() > KEPT) {
      same.remove();
    }
    if (last.size() > MOST_KINDS) {
      last.remove(last.keySet().iterator().next());
    }
    unlearned++;
  }

  /** The attempts that count, those without a kind of the type "". */
  public synchronized List<TaskRecord> attempts() {
    return last.values().stream().flatMap(Deque::stream).toList();
  }

  private static TaskRecord record(String kind, AttemptEnded ended) {
    TaskReport report = ended.report();
    return RunRecorder.took(TaskRecord.builder(report.task(), kind, report.attempt()), ended)
        .worker(ended.worker().id(), ended.worker().node())
        .outcome(Outcome.SUCCEEDED, report.exitCode())
        .build();
  }
}
