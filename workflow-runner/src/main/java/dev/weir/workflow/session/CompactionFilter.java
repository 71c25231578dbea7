package dev.weir.workflow.session;

import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobserver.JobRegistry;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.run.ManagedRun;
import dev.weir.workflow.run.ManagedRuns;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a session's runs and jobs, which selects the journal lines that a compaction keeps.
 * The ended attempts of a task that is done stay, because the record of its run lists them. They
 * keep only what the record, the replay and the reuse of results need. Immutable.
 */
public final class CompactionFilter {

  /** The end number of each job; 0 when the job has not ended. */
  private final Map<String, Long> ends = new HashMap<>();

  /** The tasks that are not done, by the graph of each live run. */
  private final Map<String, Set<String>> unfinished = new HashMap<>();

  /** Files that a known job produces. */
  private final Set<String> made = new HashSet<>();

  /** Takes the snapshot; to be called on the event loop. */
  CompactionFilter(ManagedRuns runs, JobRegistry jobs, Dispatcher dispatcher) {
    for (ManagedRun run : runs.all()) {
      unfinished.put(run.graph(), dispatcher.unfinishedTasks(run.graph()).keySet());
    }
    jobs.forEach(
        (job, status) -> {
          ends.put(job.id(), status.number());
          job.outputs().stream().map(JobFile::id).filter(dispatcher::hasMaker).forEach(made::add);
        });
  }

  /**
   * Returns the line as it is kept; empty for an ended run or a forgotten job. Ended jobs keep
   * their end numbers, which clients use to resume.
   */
  public Optional<Journal.Line> kept(Journal.Line line) {
    DispatchRecord record = line.record();
    String graph = record.graph();
    if (!graph.isEmpty()) {
      return keptOfRun(line, unfinished.get(graph));
    }
    if (record instanceof DispatchRecord.TaskAdded added) {
      return kept(line, added.addition().task().id(), false);
    } else if (record instanceof DispatchRecord.AttemptEnded ended) {
      boolean done = ended.report().result() == TaskReport.Result.SUCCEEDED;
      return kept(line, ended.report().task(), done);
    } else if (record instanceof DispatchRecord.GivenUp givenUp) {
      return kept(line, givenUp.task(), true);
    } else if (record instanceof DispatchRecord.MemoryExceeded exceeded) {
      return kept(line, exceeded.task(), false);
    } else if (record instanceof DispatchRecord.LossExcused excused) {
      return kept(line, excused.task(), false);
    } else if (record instanceof DispatchRecord.WrittenBack written) {
      return Optional.of(line).filter(kept -> made.contains(written.copy().name()));
    } else if (record instanceof DispatchRecord.FilesLost lost) {
      List<String> files = lost.files().stream().filter(made::contains).toList();
      DispatchRecord rest = new DispatchRecord.FilesLost(files);
      return files.isEmpty()
          ? Optional.empty()
          : Optional.of(new Journal.Line(line.attempt(), line.number(), rest));
    }
    return Optional.of(line);
  }

  private Optional<Journal.Line> keptOfRun(
      Journal.Line line, @Nullable Set<String> unfinishedTasks) {
    if (unfinishedTasks == null) {
      return Optional.empty();
    }
    if (line.record() instanceof DispatchRecord.AttemptEnded ended
        && !unfinishedTasks.contains(ended.report().task())) {
      return Optional.of(new Journal.Line(line.attempt(), line.number(), shortened(ended)));
    }
    return Optional.of(line);
  }

  /** Returns the record without the output of the command, which may be long. */
  private DispatchRecord.AttemptEnded shortened(DispatchRecord.AttemptEnded ended) {
    TaskReport report = ended.report();
    return ended.with(
        new TaskReport(
            report.task(),
            report.attempt(),
            report.result(),
            report.exitCode(),
            report.firstLine(),
            "",
            report.lostInputs(),
            report.outputs(),
            report.usage(),
            report.inputs(),
            report.effort()));
  }

  private Optional<Journal.Line> kept(Journal.Line line, String job, boolean ended) {
    Long number = ends.get(job);
    return number == null
        ? Optional.empty()
        : Optional.of(
            new Journal.Line(
                line.attempt(), line.number(), line.record(), ended ? Math.max(0, number - 1) : 0));
  }
}
