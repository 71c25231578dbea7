package dev.weir.workflow.session;

import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobserver.JobRegistry;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.run.ManagedRuns;
import dev.weir.workflow.scheduler.DispatchRecord;
import dev.weir.workflow.scheduler.Dispatcher;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The runs and jobs that a session knew at a moment, and so what is worth keeping of its journal
 * from before. Immutable.
 */
public final class KnownRecords {

  /** Of each job the number of its end; 0 when it has not ended. */
  private final Map<String, Long> ends = new HashMap<>();

  /** The graphs of the runs that went on. */
  private final Set<String> graphs = new HashSet<>();

  /** Files that are made by one of the jobs. */
  private final Set<String> made = new HashSet<>();

  /** Those that both know now; to be called where the dispatcher is told things. */
  KnownRecords(ManagedRuns runs, JobRegistry book, Dispatcher dispatcher) {
    runs.all().forEach(run -> graphs.add(run.graph()));
    book.forEach(
        (job, status) -> {
          ends.put(job.id(), status.number());
          job.outputs().stream().map(JobFile::id).filter(dispatcher::hasMaker).forEach(made::add);
        });
  }

  /**
   * What is worth keeping of a line: nothing of runs that are over and of jobs that are forgotten.
   * With the numbers that the ends of jobs had, for clients go by these.
   */
  public Optional<Journal.Line> kept(Journal.Line line) {
    DispatchRecord record = line.record();
    String graph = record.graph();
    if (!graph.isEmpty()) {
      return graphs.contains(graph) ? Optional.of(line) : Optional.empty();
    }
    if (record instanceof DispatchRecord.TaskAdded added) {
      return kept(line, added.addition().task().id(), false);
    } else if (record instanceof DispatchRecord.AttemptEnded ended) {
      boolean done = ended.report().result() == TaskReport.Result.SUCCEEDED;
      return kept(line, ended.report().task(), done);
    } else if (record instanceof DispatchRecord.GivenUp givenUp) {
      return kept(line, givenUp.task(), true);
    } else if (record instanceof DispatchRecord.FilesLost lost) {
      List<String> files = lost.files().stream().filter(made::contains).toList();
      DispatchRecord rest = new DispatchRecord.FilesLost(files);
      return files.isEmpty()
          ? Optional.empty()
          : Optional.of(new Journal.Line(line.attempt(), line.number(), rest));
    }
    return Optional.of(line);
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
