package dev.weir.workflow.run;

import dev.weir.workflow.journal.JournalReader;
import dev.weir.workflow.journal.ReadBudget;
import dev.weir.workflow.journal.ScopedRecords;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.RunTotals;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphGrown;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.staging.AddedTasks;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the runs of a killed session from its journal. Each gets the record that the session would
 * have written at that moment. No task is started. Calls block.
 */
public final class KilledSessionRuns {

  private static final Logger LOG = LoggerFactory.getLogger(KilledSessionRuns.class);
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  /** An attempt after the first one also removes the temporary files of earlier ones. */
  private static final int LATER = 2;

  private final RunDirectories directories;
  private final long maxJournalBytes;

  /**
   * Creates the cleanup of a user's sessions.
   *
   * @param maxJournalBytes limit on the journal bytes that are read for each session
   */
  public KilledSessionRuns(RunDirectories directories, long maxJournalBytes) {
    this.directories = directories;
    this.maxJournalBytes = maxJournalBytes;
  }

  /**
   * Ends the runs that have not ended.
   *
   * @param journals directory of the session
   * @return whether all have ended and their results are stored, so that the journals can go
   */
  public boolean end(ApplicationId session, Path journals)
      throws IOException, InterruptedException {
    Map<String, Journalled> pending = pending(session);
    if (pending.isEmpty()) {
      return true;
    }
    try {
      new JournalReader(directories.fs(), journals, ReadBudget.ofBytes(maxJournalBytes))
          .read(
              line -> {
                Journalled run = pending.get(line.record().graph());
                if (run != null) {
                  run.take(line.record());
                }
              });
    } catch (ReadBudget.SpentException e) {
      LOG.warn("The journals of {} are too long to end its {} runs", session, pending.size(), e);
      return false;
    }
    boolean all = true;
    for (Journalled run : pending.values()) {
      all &= end(run);
    }
    return all;
  }

  private Map<String, Journalled> pending(ApplicationId session) throws IOException {
    Map<String, Journalled> pending = new LinkedHashMap<>();
    for (RunSummary summary : directories.liveIn(session.toString())) {
      Staging directory = directories.directory(summary.id());
      try {
        RunPlan plan = AddedTasks.readPlan(directory);
        pending.put(summary.id(), new Journalled(directory, plan, summary));
      } catch (FileNotFoundException | Staging.UnreadableException e) {
        LOG.debug("The plan of {} cannot be read", summary.id(), e);
      }
    }
    return pending;
  }

  /** Ends a run; false if it must be ended again, because not all of its files were written. */
  private boolean end(Journalled run) throws InterruptedException {
    ApplicationId id = ApplicationId.fromString(run.graph);
    Staging directory = directories.directory(run.graph);
    Clock then = Clock.fixed(Instant.ofEpochMilli(run.lastMillis), ZoneOffset.UTC);
    try {
      EarlierRuns earlier =
          new EarlierRuns(run.plan, directories, id, EarlierRuns.Limits.within(TIMEOUT), then);
      boolean isStored =
          new RunClosing(
                  directories.fs(),
                  directory,
                  run.plan,
                  ApplicationAttemptId.newInstance(id, LATER),
                  then)
              .close(
                  run, new RunClosing.End(run.recorder, run.failure, earlier, null, notice -> {}));
      if (!isStored) {
        directory.writeJson(Staging.SUMMARY, run.summary);
        return false;
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot end the run {} of a killed session", id, e);
      return false;
    }
    LOG.info("The run {} has ended with its session", id);
    return true;
  }

  /** The state of a run, as replayed from a journal. */
  private static final class Journalled implements RunClosing.Services {

    private final String graph;
    private final Staging directory;
    private final RunSummary summary;
    private final RunRecorder recorder;
    private final Map<String, Task> tasks = new HashMap<>();
    private RunPlan plan;
    private long lastMillis;
    private @Nullable RunFailure failure = RunFailure.ofRun("its session was killed", "");

    Journalled(Staging directory, RunPlan plan, RunSummary summary) {
      this.graph = directory.directory().getName();
      this.directory = directory;
      this.plan = plan;
      this.summary = summary;
      this.lastMillis = Instant.parse(summary.submitted()).toEpochMilli();
      plan.workflow().tasks().forEach(task -> tasks.put(task.id(), task));
      this.recorder = new RunRecorder(lastMillis, tasks::get);
    }

    void take(DispatchRecord record) {
      if (record instanceof GraphGrown grown) {
        grow(grown);
      }
      if (record instanceof AttemptEnded ended
          && !tasks.containsKey(ScopedId.id(ended.report().task()))) {
        LOG.warn("Skipped a record: the run {} has no such task: {}", graph, record);
        return;
      }
      recorder.replay(ScopedRecords.unscoped(record));
      if (record instanceof AttemptEnded ended) {
        lastMillis = Math.max(lastMillis, ended.endedMillis());
      } else if (record instanceof GraphEnded end) {
        failure = end.failure();
      }
    }

    /** The ApplicationMaster may have died before it made the tasks a part of the plan. */
    private void grow(GraphGrown grown) {
      try {
        if (AddedTasks.accept(directory, grown.plan())) {
          plan = AddedTasks.readPlan(directory);
          plan.workflow().tasks().forEach(task -> tasks.put(task.id(), task));
        }
      } catch (IOException e) {
        LOG.warn("Cannot read the tasks that were added to the run {}", graph, e);
      }
    }

    /** The session is known to be gone. */
    @Override
    public void requireLast() {}

    @Override
    public Progress progress() {
      RunRecord record =
          recorder.build(
              new RunRecorder.Name(graph, plan.workflow().name(), plan.mode().label()),
              RunState.FAILED,
              lastMillis);
      RunTotals totals = record.totals();
      long done =
          record.tasks().stream()
              .filter(attempt -> attempt.outcome() == Outcome.SUCCEEDED)
              .map(TaskRecord::task)
              .distinct()
              .count();
      return new Progress(
          plan.workflow().tasks().size(),
          (int) done + reused(),
          0,
          List.of(),
          0,
          totals.unsuccessfulAttempts(),
          totals.traffic().inputLocal(),
          totals.traffic().inputRemote());
    }

    @Override
    public int reused() {
      return recorder.takenOver().size();
    }

    @Override
    public void finish() {}

    @Override
    public CacheTraffic cacheTraffic() {
      return CacheTraffic.NONE;
    }

    @Override
    public void unregister(@Nullable RunFailure why, String remark) {}
  }
}
