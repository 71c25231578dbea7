package dev.weir.workflow.run;

import dev.weir.workflow.hdfs.HdfsRefusals;
import dev.weir.workflow.journal.JournalReader;
import dev.weir.workflow.journal.ReadBudget;
import dev.weir.workflow.journal.ScopedRecords;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.reuse.CommandContext;
import dev.weir.workflow.reuse.DoneTaskIndex;
import dev.weir.workflow.reuse.JournalTaskReader;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.TakenOver;
import dev.weir.workflow.staging.PlanScan;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the results of the user's earlier runs, the newest first, within an allowance. Runs beyond
 * it, and unreadable ones, are skipped with a note. One thread at a time.
 */
final class EarlierRunReader {

  private static final Logger LOG = LoggerFactory.getLogger(EarlierRunReader.class);
  private static final int MEBI_BITS = 20;

  private final RunDirectories directories;
  private final KilledRuns killed;
  private final ReadBudget allowance;
  private final Consumer<String> notes;

  /**
   * Creates a reader.
   *
   * @param killed cleans up after killed runs, which have left only journals
   * @param allowance bytes for the plans and journals of such runs, and time for all runs
   * @param notes receives which runs were skipped, and why
   */
  EarlierRunReader(
      RunDirectories directories, KilledRuns killed, ReadBudget allowance, Consumer<String> notes) {
    this.directories = directories;
    this.killed = killed;
    this.allowance = allowance;
    this.notes = notes;
  }

  /**
   * Reads the runs.
   *
   * @param runs the newest first
   * @param memory receives their results
   * @throws InterruptedException when the search was cancelled
   */
  void fill(List<ApplicationId> runs, DoneTaskIndex memory) throws InterruptedException {
    for (int next = 0; next < runs.size(); next++) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the search was cancelled");
      }
      if (allowance.isOver()) {
        List<String> rest =
            runs.subList(next, runs.size()).stream().map(ApplicationId::toString).toList();
        skip(String.join(", ", rest), "nothing is looked for (" + allowance.spent() + ")", null);
        return;
      }
      read(runs.get(next), memory);
    }
  }

  private void read(ApplicationId id, DoneTaskIndex memory) {
    String name = id.toString();
    try {
      if (!addWritten(name, memory)) {
        killed.tidy(id);
        harvest(name, memory);
      }
    } catch (IOException | RuntimeException e) {
      if (e instanceof FileNotFoundException && isAccountedFor(name, memory)) {
        return;
      }
      String spent = allowance.spent();
      if (spent == null) {
        skip(name, "nothing can be read (" + HdfsRefusals.explained(e) + ")", e);
      } else {
        skip(name, "no more is looked for (" + spent + ")", null);
      }
    }
  }

  private void skip(String names, String why, @Nullable Exception e) {
    String note = "results of " + names + " are not reused: " + why + "; tasks may run again";
    LOG.warn("{}", note, e);
    notes.accept(note);
  }

  /** Adds a run's stored results; false when it has none. */
  private boolean addWritten(String name, DoneTaskIndex memory) throws IOException {
    try (BufferedReader lines = directories.done(name)) {
      if (lines == null) {
        return false;
      }
      if (!memory.add(lines, name)) {
        skip(name, "a part cannot be read", null);
      }
      return true;
    }
  }

  /**
   * Whether a run whose files disappeared during the read has ended with stored results, or was
   * deleted.
   */
  private boolean isAccountedFor(String name, DoneTaskIndex memory) {
    try {
      return addWritten(name, memory)
          || !directories.fs().exists(directories.directory(name).directory());
    } catch (IOException e) {
      LOG.warn("Cannot determine whether {} has ended", name, e);
      return false;
    }
  }

  /** Reads the journals of a killed or live run. */
  private void harvest(String name, DoneTaskIndex memory) throws IOException {
    Staging directory = directories.directory(name);
    Staging journals = journals(directory);
    if (journals.names(Staging.JOURNAL).isEmpty()) {
      // The run has no results, or it has just ended.
      boolean unused = addWritten(name, memory);
      return;
    }
    long bytes = journals.length(Staging.JOURNAL) + directory.length(Staging.PLAN);
    if (!allowance.covers(bytes)) {
      skip(
          name,
          "nothing is looked for, as its plan and journals are "
              + (bytes >> MEBI_BITS)
              + " MiB long and not so much more is read",
          null);
      return;
    }
    PlanScan plan = new PlanScan(directory, allowance::metered);
    if (!plan.anyTask(memory::mayReuse)) {
      LOG.debug("{} ran another workflow", name);
      return;
    }
    JournalTaskReader harvest = new JournalTaskReader(memory, name);
    String missing = gather(journals, name, harvest);
    // The run may have stored its results and removed its journals meanwhile.
    if ((missing != null || harvest.isEmpty()) && isAccountedFor(name, memory)) {
      return;
    }
    if (missing != null) {
      skip(name, missing, null);
    }
    if (!harvest.isEmpty()) {
      // A second scan regardless of the allowance: the results are useless without the plan.
      PlanScan again = new PlanScan(directory);
      again.tasks(tasks(again, EarlierRuns.stored(directory), harvest)::add);
    }
  }

  private Staging journals(Staging directory) throws IOException {
    try {
      RunSummary summary = directory.readJson(Staging.SUMMARY, RunSummary.class);
      return summary.session().isEmpty() ? directory : directories.journals(summary);
    } catch (FileNotFoundException e) {
      return directory;
    }
  }

  /** Gathers a run's results as far as they can be read; returns what is missing, or null. */
  private @Nullable String gather(Staging directory, String run, JournalTaskReader harvest)
      throws IOException {
    try {
      boolean all =
          new JournalReader(directories.fs(), directory.directory(), allowance)
              .readLeniently(
                  line -> {
                    if (line.record().graph().equals(run)) {
                      gather(ScopedRecords.unscoped(line.record()), harvest);
                    }
                  });
      return all ? null : "a part cannot be read";
    } catch (ReadBudget.SpentException e) {
      return "no more is looked for (" + allowance.spent() + ")";
    }
  }

  private static JournalTaskReader.Tasks tasks(
      PlanScan plan, @Nullable Map<String, String> tools, JournalTaskReader harvest)
      throws IOException {
    PlanScan.Head head = plan.head();
    Map<String, DataFile> files = new HashMap<>();
    if (head.standIn()) {
      plan.files(
          file -> {
            DataFile usable = harvest.usable(file);
            if (usable != null) {
              files.put(usable.id(), usable);
            }
          });
    }
    return harvest.with(
        files,
        new CommandContext(head.environment(), tools == null ? Map.of() : tools, head.standIn()));
  }

  private static void gather(DispatchRecord record, JournalTaskReader harvest) {
    if (record instanceof AttemptEnded ended
        && ended.report().result() == TaskReport.Result.SUCCEEDED) {
      TaskReport report = ended.report();
      harvest.succeeded(
          report.task(),
          report.attempt(),
          report.inputs().stream().map(FileRecord::of).toList(),
          report.outputs().stream().map(FileRecord::of).toList());
    } else if (record instanceof TakenOver taken) {
      harvest.reused(taken);
    }
  }
}
