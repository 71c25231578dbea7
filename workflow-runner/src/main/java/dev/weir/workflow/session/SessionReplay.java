package dev.weir.workflow.session;

import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.jobserver.JobRegistry;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.journal.ScopedRecords;
import dev.weir.workflow.run.ManagedRun;
import dev.weir.workflow.run.ManagedRuns;
import dev.weir.workflow.scheduler.DispatchRecord;
import dev.weir.workflow.scheduler.DispatchRecord.FilesFound;
import dev.weir.workflow.scheduler.DispatchRecord.GraphAdded;
import dev.weir.workflow.scheduler.DispatchRecord.GraphEnded;
import dev.weir.workflow.scheduler.DispatchRecord.TaskAdded;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.ScopedId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over what a session's earlier ApplicationMasters recorded. What cannot be taken over is
 * passed over: the other runs and jobs are not to be lost for it.
 */
public final class SessionReplay {

  private static final Logger LOG = LoggerFactory.getLogger(SessionReplay.class);

  /**
   * Jobs that ended long ago are forgotten on the way, or all there ever were would be in memory.
   */
  private static final int FORGET_EVERY = 1_000;

  private final Dispatcher dispatcher;
  private final JobRegistry book;
  private final ManagedRuns runs;
  private final Opener opener;
  private final BiConsumer<String, IOException> givenUp;

  /** Runs of which the journal says what they found when they began. */
  private final Set<String> found = new HashSet<>();

  private int taken;
  private long ends;

  /** Opens runs that an earlier ApplicationMaster had taken. */
  public interface Opener {

    /**
     * Reads what a run is to do. Blocks.
     *
     * @return nothing when the run is over, or nothing is left of it
     * @throws IOException when HDFS does not say it
     */
    Optional<ManagedRun> open(String graph) throws IOException;
  }

  /**
   * Into a dispatcher, a registry and runs that are empty.
   *
   * @param givenUp hears of runs that cannot be gone on with, and why
   */
  public SessionReplay(
      Dispatcher dispatcher,
      JobRegistry book,
      ManagedRuns runs,
      Opener opener,
      BiConsumer<String, IOException> givenUp) {
    this.givenUp = givenUp;
    this.dispatcher = dispatcher;
    this.book = book;
    this.runs = runs;
    this.opener = opener;
  }

  /** Takes over a line; the next one came after it. */
  public void take(Journal.Line line) {
    book.recordedBy(line.attempt());
    book.endedAtLeast(line.endsBefore());
    take(line.record());
    taken++;
    if (taken % FORGET_EVERY == 0) {
      forget();
    }
  }

  /**
   * All is taken over.
   *
   * @param attempt number of the ApplicationMaster that goes on from there
   */
  public void goOn(int attempt) {
    forget();
    ends = book.lastNumber();
    book.recordedBy(attempt);
  }

  /** How many jobs had ended under the earlier ApplicationMasters. */
  public long ends() {
    return ends;
  }

  /** What is worth keeping of the journal now. */
  public KnownRecords known() {
    return new KnownRecords(runs, book, dispatcher);
  }

  private void take(DispatchRecord record) {
    if (record instanceof GraphAdded added) {
      add(added);
      return;
    }
    if (record.graph().isEmpty()) {
      takeOfJob(record);
    } else {
      runs.find(record.graph()).ifPresent(run -> take(run, record));
    }
  }

  private void add(GraphAdded added) {
    try {
      Optional<ManagedRun> run = opener.open(added.graph());
      if (run.isPresent()) {
        dispatcher.replayGraph(added, HdfsRetry.DEFAULT.through(run.get()::dispatched));
        runs.add(run.get());
      }
    } catch (IOException e) {
      givenUp.accept(added.graph(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private void take(ManagedRun run, DispatchRecord record) {
    if (record instanceof FilesFound) {
      found.add(run.graph());
    }
    if (!dispatcher.knows(record)) {
      LOG.warn("Passed over, for the run {} has no such task: {}", run.graph(), record);
      return;
    }
    dispatcher.replay(record);
    run.replay(ScopedRecords.unscoped(record));
    if (record instanceof GraphEnded ended) {
      run.ended(Optional.ofNullable(ended.failure()));
    }
  }

  private void takeOfJob(DispatchRecord record) {
    if (record instanceof TaskAdded added) {
      // Somebody was free to use the id of a job again that had been forgotten.
      book.strikeOut(dispatcher.forget(List.of(added.addition().task().id())));
    }
    if (dispatcher.knows(record)) {
      dispatcher.replay(record);
      book.record(record);
    } else {
      LOG.warn("Passed over, for it is of a job that the journal does not have: {}", record);
    }
  }

  /**
   * What an ApplicationMaster that died while it took a run in has not written down: what it may
   * not delete. What the run has made since then counts as found, so it stays. Blocks.
   *
   * @return records for the journal
   */
  List<FilesFound> completed() {
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

  /** A job that is run again just now, for what it made is lost, is kept by both. */
  void forget() {
    book.strikeOut(dispatcher.forget(book.surplus()));
  }
}
