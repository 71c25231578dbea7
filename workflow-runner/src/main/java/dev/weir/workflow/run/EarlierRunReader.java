package dev.weir.workflow.run;

import dev.weir.workflow.hdfs.HdfsRefusals;
import dev.weir.workflow.journal.JournalReader;
import dev.weir.workflow.journal.ReadBudget;
import dev.weir.workflow.journal.ScopedRecords;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.reuse.DoneTaskIndex;
import dev.weir.workflow.reuse.JournalTaskReader;
import dev.weir.workflow.scheduler.DispatchRecord;
import dev.weir.workflow.scheduler.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.DispatchRecord.TakenOver;
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
 * Reads what the user's earlier runs have done, the newest first, as far as an allowance goes. What
 * is beyond that, or cannot be read, is passed over with a note. One thread at a time.
 */
final class EarlierRunReader {

  private static final Logger LOG = LoggerFactory.getLogger(EarlierRunReader.class);
  private static final int MEBI_BITS = 20;

  private final RunDirectories directories;
  private final KilledRuns killed;
  private final ReadBudget allowance;
  private final Consumer<String> notes;

  /**
   * What is to be known of them.
   *
   * @param killed tidies up behind those that have left only journals
   * @param allowance for the plans and journals that runs have left behind which wrote down nothing
   *     else; its time is that of all
   * @param notes hears which runs were passed over, and why
   */
  EarlierRunReader(
      RunDirectories directories, KilledRuns killed, ReadBudget allowance, Consumer<String> notes) {
    this.directories = directories;
    this.killed = killed;
    this.allowance = allowance;
    this.notes = notes;
  }

  /**
   * Reads.
   *
   * @param runs the newest first
   * @param memory hears what they have done
   * @throws InterruptedException when nobody waits for it any more
   */
  void fill(List<ApplicationId> runs, DoneTaskIndex memory) throws InterruptedException {
    for (int next = 0; next < runs.size(); next++) {
      if (Thread.interrupted()) {
        throw new InterruptedException("nobody waits for it any more");
      }
      if (allowance.isOver()) {
        List<String> rest =
            runs.subList(next, runs.size()).stream().map(ApplicationId::toString).toList();
        passOver(
            String.join(", ", rest), "nothing is looked for (" + allowance.spent() + ")", null);
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
        passOver(name, "nothing can be read (" + HdfsRefusals.explained(e) + ")", e);
      } else {
        passOver(name, "no more is looked for (" + spent + ")", null);
      }
    }
  }

  private void passOver(String names, String why, @Nullable Exception e) {
    String note =
        "of what was done by " + names + " " + why + ": what nobody else has done is done again";
    LOG.warn("{}", note, e);
    notes.accept(note);
  }

  /** Whether a run has written down what it has done. */
  private boolean addWritten(String name, DoneTaskIndex memory) throws IOException {
    try (BufferedReader lines = directories.done(name)) {
      if (lines == null) {
        return false;
      }
      if (!memory.add(lines, name)) {
        passOver(name, "a part cannot be read", null);
      }
      return true;
    }
  }

  /**
   * Whether a run that has lost files meanwhile has come to its end, and has written down before
   * that what it has done; or nothing is left of it, for it was forgotten.
   */
  private boolean isAccountedFor(String name, DoneTaskIndex memory) {
    try {
      return addWritten(name, memory)
          || !directories.fs().exists(directories.directory(name).directory());
    } catch (IOException e) {
      LOG.warn("Whether {} has come to its end cannot be found out", name, e);
      return false;
    }
  }

  /** A run that was killed, or goes on, has its journals only. */
  private void harvest(String name, DoneTaskIndex memory) throws IOException {
    Staging directory = directories.directory(name);
    Staging journals = journals(directory);
    if (journals.names(Staging.JOURNAL).isEmpty()) {
      // Nothing was done, or it has come to its end just now.
      boolean unused = addWritten(name, memory);
      return;
    }
    long bytes = journals.length(Staging.JOURNAL) + directory.length(Staging.PLAN);
    if (!allowance.covers(bytes)) {
      passOver(
          name,
          "nothing is looked for, as its plan and journals are "
              + (bytes >> MEBI_BITS)
              + " MiB long and not so much more is read",
          null);
      return;
    }
    PlanScan plan = new PlanScan(directory, allowance::metered);
    if (!plan.anyTask(memory::mayReuse)) {
      LOG.debug("{} was another workflow's", name);
      return;
    }
    JournalTaskReader harvest = new JournalTaskReader(memory, name);
    String missing = gather(journals, name, harvest);
    // It may have written down what it has done, and removed its journals before they were read.
    if ((missing != null || harvest.isEmpty()) && isAccountedFor(name, memory)) {
      return;
    }
    if (missing != null) {
      passOver(name, missing, null);
    }
    if (!harvest.isEmpty()) {
      // Once more, whatever is left: without it nothing of what was read would be of use.
      PlanScan again = new PlanScan(directory);
      again.tasks(tasks(again, harvest)::add);
    }
  }

  /** The directory of the session that has done a run: the run's own if it had one for itself. */
  private Staging journals(Staging directory) throws IOException {
    try {
      String session = directory.readJson(Staging.SUMMARY, RunSummary.class).session();
      return session.isEmpty() ? directory : directories.session(session);
    } catch (FileNotFoundException e) {
      return directory;
    }
  }

  /** Gathers what a run has done as far as that can be read; says what is missing, if anything. */
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

  private static JournalTaskReader.Tasks tasks(PlanScan plan, JournalTaskReader harvest)
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
    return harvest.with(files, head.environment(), head.standIn());
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
      harvest.reused(EarlierRuns.reused(taken));
    }
  }
}
