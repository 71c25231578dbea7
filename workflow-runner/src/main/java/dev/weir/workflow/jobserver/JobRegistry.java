package dev.weir.workflow.jobserver;

import static java.util.Objects.requireNonNull;

import dev.weir.workflow.controller.RecordListener;
import dev.weir.workflow.jobs.EndedJobs;
import dev.weir.workflow.jobs.InvalidJobException;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobCodec;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import dev.weir.workflow.jobs.JobStatus.Result;
import dev.weir.workflow.jobs.JobStatus.Times;
import dev.weir.workflow.jobs.JobStatus.Traffic;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.RunRecorder;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.GivenUp;
import dev.weir.workflow.scheduler.api.DispatchRecord.TaskAdded;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * The jobs of a session, with their status and the requests that wait for them. The last ended jobs
 * are kept. Thread-safe; does not block.
 */
public final class JobRegistry implements RecordListener {

  /**
   * Added to the end number after each restart. The journal may lack the last ends before the
   * restart. A client that has seen their numbers must see higher numbers afterwards.
   */
  private static final long RESTART_GAP = 1_000_000;

  private final int kept;
  private final BiConsumer<Task, AttemptEnded> attempts;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final NavigableMap<Long, Entry> ended = new TreeMap<>();
  private final Map<String, String> nodes = new HashMap<>();
  private final Map<JobState, Integer> counts = new EnumMap<>(JobState.class);

  /** The attempts at the known jobs; the record begins with the first of them. */
  private final RunRecorder recorder =
      new RunRecorder(Long.MAX_VALUE, id -> requireNonNull(entries.get(id)).job.task());

  private CompletableFuture<Void> nextEnd = new CompletableFuture<>();
  private int attempt = 1;
  private long lastNumber;

  /** A job. Its description is kept after its end, because a lost output makes it run again. */
  private static final class Entry {
    private final Job job;
    private JobStatus status;
    private final CompletableFuture<JobStatus> end = new CompletableFuture<>();

    Entry(Job job, JobStatus status) {
      this.job = job;
      this.status = status;
    }
  }

  /**
   * Creates an empty registry.
   *
   * @param kept the number of ended jobs to keep
   * @param attempts receives each ended attempt at a known job
   */
  public JobRegistry(int kept, BiConsumer<Task, AttemptEnded> attempts) {
    this.kept = kept;
    this.attempts = attempts;
  }

  /**
   * Sets the application attempt whose records follow.
   *
   * @param master number of the application attempt; a lower one than before is ignored
   */
  public synchronized void recordedBy(int master) {
    if (master > attempt) {
      // Every later attempt adds the same gaps, so a job's number does not change.
      lastNumber += (master - attempt) * RESTART_GAP;
      attempt = master;
    }
  }

  /** Raises the number of ended jobs, because the journal lacks forgotten jobs. */
  public synchronized void endedAtLeast(long number) {
    lastNumber = Math.max(lastNumber, number);
  }

  @Override
  public synchronized void record(DispatchRecord record) {
    if (record instanceof TaskAdded added) {
      add(added);
    } else if (record instanceof AttemptEnded ended) {
      keep(ended);
      attemptEnded(ended);
    } else if (record instanceof GivenUp givenUp) {
      givenUp(givenUp);
    }
  }

  private void add(TaskAdded added) {
    String source = added.addition().source();
    try {
      Job job = JobCodec.read(source, added.addition().task().id());
      JobStatus status =
          new JobStatus(
              job.id(),
              job.task().type(),
              JobState.QUEUED,
              0,
              Result.NONE,
              new Times(added.millis(), 0, 0, 0),
              Traffic.NONE,
              0);
      entries.put(job.id(), new Entry(job, status));
      counts.merge(JobState.QUEUED, 1, Integer::sum);
    } catch (InvalidJobException e) {
      // The text was parsed successfully when the job was submitted.
      throw new IllegalStateException("A job of this session cannot be read: " + e.getMessage(), e);
    }
  }

  /** An attempt was sent to a worker. */
  synchronized void given(Effect.Start start, long now) {
    Entry entry = entries.get(start.task());
    if (entry != null && !entry.status.state().isFinal()) {
      JobStatus old = entry.status;
      String node = nodes.getOrDefault(start.worker(), "");
      set(
          entry,
          new JobStatus(
              old.id(),
              old.tag(),
              JobState.RUNNING,
              start.attempt(),
              new Result(JobStatus.NO_EXIT_CODE, node, "", ""),
              new Times(old.times().submitted(), now, 0, 0),
              Traffic.NONE,
              0));
    }
  }

  /**
   * Records an attempt. An unknown worker has left, or belonged to an earlier ApplicationMaster.
   */
  private void keep(AttemptEnded ended) {
    Entry entry = entries.get(ended.report().task());
    if (entry == null) {
      return;
    }
    attempts.accept(entry.job.task(), ended);
    if (nodes.containsKey(ended.worker().id())) {
      recorder.record(ended);
    } else {
      recorder.replay(ended);
    }
  }

  private void attemptEnded(AttemptEnded ended) {
    TaskReport report = ended.report();
    Entry entry = entries.get(report.task());
    if (entry == null || entry.status.state().isFinal()) {
      return;
    }
    boolean succeeded = report.result() == TaskReport.Result.SUCCEEDED;
    JobStatus status =
        new JobStatus(
            entry.status.id(),
            entry.status.tag(),
            succeeded ? JobState.SUCCEEDED : JobState.QUEUED,
            report.attempt(),
            new Result(
                report.exitCode(), ended.worker().node(), report.message(), report.outputTail()),
            new Times(
                entry.status.times().submitted(),
                ended.dispatchedMillis(),
                succeeded ? ended.endedMillis() : 0,
                report.usage().runMillis()),
            new Traffic(
                report.usage().inputBytesLocal() + report.usage().inputBytesCached(),
                report.usage().inputBytesRemote(),
                report.usage().outputBytes()),
            succeeded ? lastNumber + 1 : 0);
    if (succeeded) {
      end(entry, status);
    } else {
      set(entry, status);
    }
  }

  private void givenUp(GivenUp givenUp) {
    Entry entry = entries.get(givenUp.task());
    if (entry == null || entry.status.state().isFinal()) {
      return;
    }
    JobStatus old = entry.status;
    Result result = old.result();
    if (!givenUp.because().equals(givenUp.task())) {
      String why =
          "it needs what job '"
              + givenUp.because()
              + "' would have made, which "
              + (givenUp.cancelled() ? "was cancelled" : "failed");
      result = new Result(JobStatus.NO_EXIT_CODE, "", why, "");
    } else if (givenUp.cancelled()) {
      result = new Result(JobStatus.NO_EXIT_CODE, result.node(), "cancelled", "");
    }
    end(
        entry,
        new JobStatus(
            old.id(),
            old.tag(),
            givenUp.cancelled() ? JobState.CANCELLED : JobState.FAILED,
            old.attempts(),
            result,
            new Times(
                old.times().submitted(),
                old.times().started(),
                givenUp.millis(),
                old.times().runMillis()),
            old.traffic(),
            lastNumber + 1));
  }

  private void set(Entry entry, JobStatus status) {
    counts.merge(entry.status.state(), -1, Integer::sum);
    counts.merge(status.state(), 1, Integer::sum);
    entry.status = status;
  }

  private void end(Entry entry, JobStatus status) {
    lastNumber = status.number();
    set(entry, status);
    ended.put(lastNumber, entry);
    entry.end.complete(status);
    CompletableFuture<Void> awaited = nextEnd;
    nextEnd = new CompletableFuture<>();
    awaited.complete(null);
  }

  @Override
  public synchronized void workerJoined(WorkerInfo worker, long now) {
    nodes.put(worker.id(), worker.node());
    // Not when a worker ends: the attempts that it loses are recorded after that.
    recorder.forget(Set.of());
    recorder.workerJoined(worker, now);
  }

  @Override
  public synchronized void workerEnded(String worker, long now) {
    nodes.remove(worker);
    recorder.workerEnded(worker, now);
  }

  /** Finds a job; empty for an unknown id. */
  synchronized Optional<Job> job(String id) {
    Entry entry = entries.get(id);
    return entry == null ? Optional.empty() : Optional.of(entry.job);
  }

  /** Returns the jobs that have not ended. */
  public synchronized List<Job> unfinished() {
    return entries.values().stream()
        .filter(entry -> !entry.status.state().isFinal())
        .map(entry -> entry.job)
        .toList();
  }

  /** Returns the paths of outputs that stay on nodes, which workers may have begun to copy. */
  public synchronized List<String> intermediatePaths() {
    return entries.values().stream()
        .flatMap(entry -> entry.job.outputs().stream())
        .filter(JobFile::intermediate)
        .map(JobFile::path)
        .toList();
  }

  /** Calls the consumer with each known job and its status. */
  public synchronized void forEach(BiConsumer<Job, JobStatus> each) {
    entries.values().forEach(entry -> each.accept(entry.job, entry.status));
  }

  synchronized Optional<JobStatus> find(String id) {
    Entry entry = entries.get(id);
    return entry == null ? Optional.empty() : Optional.of(entry.status);
  }

  /** Returns a future that completes with a job's end; empty for an unknown id. */
  synchronized Optional<CompletableFuture<JobStatus>> end(String id) {
    Entry entry = entries.get(id);
    // A copy, so that a timeout of one request does not complete those of others.
    return entry == null ? Optional.empty() : Optional.of(entry.end.copy());
  }

  /** Returns the jobs that ended after a number, in that order, up to a limit. */
  synchronized EndedJobs endedAfter(long number, int atMost) {
    List<JobStatus> jobs =
        ended.tailMap(number, false).values().stream()
            .limit(atMost)
            .map(entry -> entry.status)
            .toList();
    return new EndedJobs(jobs, jobs.isEmpty() ? number : jobs.get(jobs.size() - 1).number());
  }

  /** Returns a future that completes when another job ends. */
  synchronized CompletableFuture<Void> nextEnd() {
    return nextEnd.copy();
  }

  /** Returns all known jobs in the order of their submission. */
  synchronized EndedJobs all() {
    return new EndedJobs(entries.values().stream().map(entry -> entry.status).toList(), lastNumber);
  }

  synchronized int count(JobState state) {
    return counts.getOrDefault(state, 0);
  }

  /** Returns the ids of the oldest ended jobs, if there are many more than are to be kept. */
  public synchronized List<String> surplus() {
    return ended.size() <= kept + kept / 10
        ? List.of()
        : ended.values().stream()
            .limit(ended.size() - kept)
            .map(entry -> entry.status.id())
            .toList();
  }

  /** Removes ended jobs; others are ignored. */
  public synchronized void remove(List<String> ids) {
    Set<String> gone = new HashSet<>();
    for (String id : ids) {
      Entry entry = entries.get(id);
      if (entry != null && entry.status.state().isFinal()) {
        entries.remove(id);
        ended.remove(entry.status.number());
        counts.merge(entry.status.state(), -1, Integer::sum);
        gone.add(id);
      }
    }
    if (!gone.isEmpty()) {
      recorder.forget(gone);
    }
  }

  /** Builds a run record of the known jobs; empty when no attempt has ended. */
  synchronized Optional<RunRecord> recorded(
      RunRecorder.Name name, RunState state, long endedMillis) {
    return recorder.attempts(0, 1).isEmpty()
        ? Optional.empty()
        : Optional.of(recorder.build(name, state, endedMillis));
  }

  /** Returns the number of the last ended job. */
  public synchronized long lastNumber() {
    return lastNumber;
  }
}
