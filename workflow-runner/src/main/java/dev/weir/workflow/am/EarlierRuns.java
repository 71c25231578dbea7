package dev.weir.workflow.am;

import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.dispatch.DispatchRecord.AttemptEnded;
import dev.weir.workflow.dispatch.DispatchRecord.TakenOver;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.reuse.Harvest;
import dev.weir.workflow.reuse.Memory;
import dev.weir.workflow.reuse.PresentFile;
import dev.weir.workflow.reuse.Remembrance;
import dev.weir.workflow.reuse.Rerun;
import dev.weir.workflow.reuse.Reused;
import dev.weir.workflow.reuse.Stamp;
import dev.weir.workflow.reuse.TakeOver;
import dev.weir.workflow.run.PlanScan;
import dev.weir.workflow.run.RunDirectories;
import dev.weir.workflow.run.RunPlan;
import dev.weir.workflow.run.Staging;
import dev.weir.workflow.worker.Trouble;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the user's earlier runs have done and this one need not do, and what this one leaves for
 * later ones. Whatever goes wrong here costs no more than that something is done again, and is
 * noted. One thread at a time.
 */
final class EarlierRuns {

  /** How far the clocks of the NameNode and of this machine may be apart. */
  private static final long CLOCKS_MILLIS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(EarlierRuns.class);

  /**
   * So much is read of the plans and journals that runs have left behind which wrote down nothing
   * else. They are read line by line: it is a matter of time, not of memory.
   */
  private static final long MOST_JOURNAL_BYTES = 1L << 30;

  private static final int MEBI_BITS = 20;

  private final DistributedFileSystem fs;
  private final RunPlan plan;
  private final String run;
  private final RunDirectories directories;
  private final Duration patience;

  /** Also added to by a search that nobody waits for any more. */
  private final List<String> notes = new CopyOnWriteArrayList<>();

  private TakeOver.@Nullable Found found;

  /**
   * What is to be known of them.
   *
   * @param patience how long it may take to find out what they have done
   */
  EarlierRuns(
      DistributedFileSystem fs,
      RunPlan plan,
      String run,
      RunDirectories directories,
      Duration patience) {
    this.patience = patience;
    this.fs = fs;
    this.plan = plan;
    this.run = run;
    this.directories = directories;
  }

  /** The tasks that need not be run; none when that cannot be found out. */
  List<TakenOver> takeOver() throws InterruptedException {
    Rerun rerun = Rerun.parse(plan.choices().rerun());
    if (rerun.isAll()) {
      return List.of();
    }
    try {
      Optional<TakeOver.Found> search = Deadline.within(patience, () -> search(rerun));
      if (search.isEmpty()) {
        note("was not found out in " + patience.toSeconds() + " s", null);
        return List.of();
      }
      found = search.get();
      List<Reused> tasks = search.get().tasks();
      LOG.info("{} tasks were done by earlier runs", tasks.size());
      return tasks.stream()
          .map(done -> new TakenOver(done.task(), done.run(), done.firstTry(), done.outputs()))
          .toList();
    } catch (ExecutionException e) {
      note("cannot be found out (" + reason(e.getCause()) + ")", e);
      return List.of();
    }
  }

  /** What the user is to know of what was passed over; empty when nothing was. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  private void note(String why, @Nullable Exception e) {
    String note =
        "what earlier runs have done "
            + why
            + ", and is all done again: 'weir cancel "
            + run
            + "' and another 'weir run' look for it once more";
    LOG.warn("{}", note, e);
    notes.add(note);
  }

  private void passOver(String name, String why, @Nullable Exception e) {
    String note = "of what " + name + " has done " + why + ": what only it has done is done again";
    LOG.warn("{}", note, e);
    notes.add(note);
  }

  private static String reason(@Nullable Throwable problem) {
    return problem instanceof IOException io ? Trouble.inHdfs(io) : String.valueOf(problem);
  }

  private TakeOver.Found search(Rerun rerun) throws IOException, InterruptedException {
    Memory memory = memory();
    if (memory.isEmpty()) {
      return new TakeOver.Found(List.of(), List.of());
    }
    Map<String, PresentFile> present = new HashMap<>(new PresentFiles(fs, plan).all());
    Set<String> passing = new PassingFiles(directories, run).paths();
    present.keySet().removeIf(id -> passing.contains(plan.path(id)));
    return new TakeOver(
            new TakeOver.Question(
                plan.workflow(), plan.dataDir(), plan.environment(), plan.standIn(), rerun),
            memory,
            present,
            new FileSums(fs, plan))
        .find();
  }

  private Memory memory() throws IOException, InterruptedException {
    Memory memory = new Memory(plan.workflow());
    KilledRuns killed = new KilledRuns(fs, directories, ApplicationId.fromString(run));
    long budget = MOST_JOURNAL_BYTES;
    for (ApplicationId id : directories.remembered()) {
      String name = id.toString();
      if (name.equals(run)) {
        continue;
      }
      if (Thread.interrupted()) {
        throw new InterruptedException("nobody waits for it any more");
      }
      try (BufferedReader lines = directories.done(name)) {
        if (lines != null) {
          if (!memory.add(lines, name)) {
            passOver(name, "a part cannot be read", null);
          }
          continue;
        }
        killed.tidy(id);
        budget -= harvest(directories.directory(name), name, memory, budget);
      } catch (IOException | RuntimeException e) {
        passOver(name, "nothing can be read (" + reason(e) + ")", e);
      }
    }
    return memory;
  }

  /**
   * A run that was killed, or goes on, has its journals only.
   *
   * @param budget how much may be read
   * @return how much that was, in bytes
   */
  private long harvest(Staging directory, String name, Memory memory, long budget)
      throws IOException {
    // The length of one whose writer was killed may be 0 to the NameNode although it can be read.
    if (directory.names(Staging.JOURNAL).isEmpty()) {
      return 0;
    }
    long bytes = directory.length(Staging.JOURNAL) + directory.length(Staging.PLAN);
    if (bytes > budget) {
      passOver(
          name,
          "nothing is looked for, as its plan and journals are "
              + (bytes >> MEBI_BITS)
              + " MiB long, with those of later runs more than "
              + (MOST_JOURNAL_BYTES >> MEBI_BITS),
          null);
      return 0;
    }
    Harvest harvest = new Harvest(memory, name);
    if (!new OldJournals(fs, directory.directory())
        .readWhatCanBe(line -> gather(line.record(), harvest))) {
      passOver(name, "a part cannot be read", null);
    }
    if (!harvest.isEmpty()) {
      PlanScan other = new PlanScan(directory);
      other.tasks(tasks(other, harvest)::add);
    }
    return bytes;
  }

  private static Harvest.Tasks tasks(PlanScan plan, Harvest harvest) throws IOException {
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

  private static void gather(DispatchRecord record, Harvest harvest) {
    if (record instanceof AttemptEnded ended
        && ended.report().result() == TaskReport.Result.SUCCEEDED) {
      TaskReport report = ended.report();
      harvest.succeeded(
          report.task(),
          report.attempt(),
          report.inputs().stream()
              .map(file -> new FileRecord(file.name(), file.sizeBytes(), file.crc32c()))
              .toList(),
          report.outputs().stream()
              .map(file -> new FileRecord(file.name(), file.sizeBytes(), file.crc32c()))
              .toList());
    } else if (record instanceof TakenOver taken) {
      harvest.reused(reused(taken));
    }
  }

  private static Reused reused(TakenOver taken) {
    return new Reused(taken.task(), taken.run(), taken.firstTry(), taken.outputs());
  }

  /**
   * Writes down what this run has done.
   *
   * @param taken what it took over
   * @return whether that is all written down, so that nobody needs the journals
   */
  boolean remember(RunRecord record, List<TakenOver> taken) {
    Remembrance remembrance =
        new Remembrance(run, plan.dataDir(), plan.workflow(), plan.environment(), plan.standIn());
    if (found != null) {
      found.inputs().forEach(remembrance::input);
    }
    taken.forEach(done -> remembrance.reused(reused(done)));
    for (TaskRecord attempt : record.tasks()) {
      if (attempt.outcome() == Outcome.SUCCEEDED) {
        remembrance.succeeded(
            attempt.task(), attempt.attempt(), attempt.files().inputs(), attempt.files().outputs());
      }
    }
    try {
      if (!remembrance.isEmpty()) {
        Map<String, PresentFile> present = new PresentFiles(fs, plan).allWithoutPlaces();
        long unchangedSince = record.started().toEpochMilli() - CLOCKS_MILLIS;
        directories.writeDone(
            run,
            out ->
                remembrance.write(
                    out,
                    file -> {
                      PresentFile now = present.get(file.file());
                      return now == null || now.bytes() != file.bytes()
                          ? null
                          : before(now.stamp(), unchangedSince);
                    }));
      }
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.warn("What this run has done cannot be written down; its journals stay", e);
      return false;
    }
  }

  /**
   * A file that was written since then may be another than the one whose sum a worker took: without
   * a stamp HDFS is asked for its sum.
   */
  private static @Nullable Stamp before(@Nullable Stamp stamp, long millis) {
    return stamp != null && stamp.modified() < millis ? stamp : null;
  }
}
