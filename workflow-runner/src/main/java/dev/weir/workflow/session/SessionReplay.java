package dev.weir.workflow.session;

import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.jobserver.JobRegistry;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.journal.ScopedRecords;
import dev.weir.workflow.run.ManagedRun;
import dev.weir.workflow.run.ManagedRuns;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.FilesFound;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphAdded;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphGrown;
import dev.weir.workflow.scheduler.api.DispatchRecord.TaskAdded;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays the journal of a session's earlier application attempts. Records that cannot be replayed
 * are skipped, so that the other runs and jobs survive.
 */
public final class SessionReplay {

  private static final Logger LOG = LoggerFactory.getLogger(SessionReplay.class);

  /** Old jobs are forgotten during the replay, which bounds its memory. */
  private static final int FORGET_EVERY = 1_000;

  private final Dispatcher dispatcher;
  private final JobRegistry jobs;
  private final ManagedRuns runs;
  private final FunctionRaisingIOE<String, Optional<ManagedRun>> opener;
  private final BiConsumer<String, IOException> failedRuns;

  /** Runs whose journal lists the files that existed when they began. */
  private final Set<String> found = new HashSet<>();

  /** Graphs that the dispatcher forgets after the replay. */
  private final Set<String> givenUp = new HashSet<>();

  private int linesReplayed;
  private long endedJobs;

  /**
   * Creates a replay into an empty dispatcher, registry and set of runs.
   *
   * @param opener reads the plan of a run that an earlier application attempt had accepted; empty
   *     when the run has ended or its directory is gone
   * @param failedRuns called with each run that cannot be resumed, and the cause
   */
  public SessionReplay(
      Dispatcher dispatcher,
      JobRegistry jobs,
      ManagedRuns runs,
      FunctionRaisingIOE<String, Optional<ManagedRun>> opener,
      BiConsumer<String, IOException> failedRuns) {
    this.failedRuns = failedRuns;
    this.dispatcher = dispatcher;
    this.jobs = jobs;
    this.runs = runs;
    this.opener = opener;
  }

  /** Replays a line; lines are passed in their order. */
  public void replay(Journal.Line line) {
    jobs.recordedBy(line.attempt());
    jobs.endedAtLeast(line.endsBefore());
    replay(line.record());
    linesReplayed++;
    if (linesReplayed % FORGET_EVERY == 0) {
      forget();
    }
  }

  /**
   * Finishes the replay. Blocks.
   *
   * @param attempt number of the application attempt that continues
   */
  public void finish(int attempt) {
    forget();
    givenUp.forEach(dispatcher::forgetGraph);
    runs.all().forEach(this::noteRunningAttempts);
    endedJobs = jobs.lastNumber();
    jobs.recordedBy(attempt);
  }

  /** YARN may have killed workers for memory since the last ApplicationMaster ended. */
  private void noteRunningAttempts(ManagedRun run) {
    for (Progress.Running held : run.runningBefore()) {
      dispatcher.ranBefore(
          new WorkerInfo(held.worker(), held.node(), SessionServices.UNKNOWN_RACK),
          ScopedId.of(run.graph(), held.task()),
          held.attempt());
    }
  }

  /** Returns how many jobs had ended under earlier application attempts. */
  public long endedJobs() {
    return endedJobs;
  }

  /** Returns the records that a compacted journal keeps now. */
  public CompactionFilter compactionFilter() {
    return new CompactionFilter(runs, jobs, dispatcher);
  }

  private void replay(DispatchRecord record) {
    if (record instanceof GraphAdded added) {
      add(added);
      return;
    }
    if (record.graph().isEmpty()) {
      replayJobRecord(record);
    } else {
      runs.find(record.graph()).ifPresent(run -> replay(run, record));
    }
  }

  private void add(GraphAdded added) {
    try {
      Optional<ManagedRun> run = opener.apply(added.graph());
      if (run.isPresent()) {
        dispatcher.replayGraph(added, HdfsRetry.DEFAULT.through(run.get()::dispatched));
        runs.add(run.get());
      }
    } catch (IOException e) {
      failedRuns.accept(added.graph(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private void replay(ManagedRun run, DispatchRecord record) {
    if (record instanceof FilesFound) {
      found.add(run.graph());
    }
    if (record instanceof GraphGrown grown) {
      grow(run, grown);
      return;
    }
    if (!dispatcher.knows(record)) {
      LOG.warn("Skipped a record: the run {} has no such task: {}", run.graph(), record);
      return;
    }
    dispatcher.replay(record);
    run.replay(ScopedRecords.unscoped(record));
    if (record instanceof GraphEnded ended) {
      run.ended(Optional.ofNullable(ended.failure()));
    }
  }

  private void grow(ManagedRun run, GraphGrown grown) {
    try {
      Graph added = HdfsRetry.DEFAULT.through(() -> run.addedBefore(grown.request(), grown.plan()));
      dispatcher.replayGrowth(added, grown);
      run.replay(grown);
    } catch (IOException e) {
      giveUp(run, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Ends a run some of whose tasks are not known: it would end without them. */
  private void giveUp(ManagedRun run, IOException why) {
    String graph = run.graph();
    failedRuns.accept(graph, why);
    dispatcher.replay(
        new GraphEnded(
            graph,
            GraphEnded.Outcome.FAILED,
            RunFailure.ofRun("its added tasks cannot be read", String.valueOf(why.getMessage())),
            0));
    runs.remove(run);
    givenUp.add(graph);
  }

  private void replayJobRecord(DispatchRecord record) {
    if (record instanceof TaskAdded added) {
      // A client may reuse the id of a forgotten job.
      jobs.remove(dispatcher.forget(List.of(added.addition().task().id())));
    }
    if (dispatcher.knows(record)) {
      dispatcher.replay(record);
      jobs.record(record);
    } else {
      LOG.warn("Skipped a record of an unknown job: {}", record);
    }
  }

  /**
   * Records the existing files of runs for which an earlier attempt died before it recorded them.
   * Files that the run has written since then count as existing, so they are not deleted. Blocks.
   */
  List<FilesFound> recordExistingFiles() {
    List<FilesFound> missing = new ArrayList<>();
    for (ManagedRun run : runs.all()) {
      if (!found.contains(run.graph())) {
        run.filesBefore()
            .map(
                files ->
                    new FilesFound(
                        run.graph(),
                        files.files().stream()
                            .map(file -> ScopedId.of(run.graph(), file))
                            .toList()))
            .ifPresent(missing::add);
      }
    }
    missing.forEach(dispatcher::replay);
    return missing;
  }

  /** Forgets old jobs. A job that runs again, because its output was lost, is kept. */
  void forget() {
    jobs.remove(dispatcher.forget(jobs.surplus()));
  }
}
