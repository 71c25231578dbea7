package dev.weir.workflow.am;

import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.dispatch.DispatchRecord.AttemptEnded;
import dev.weir.workflow.dispatch.DispatchRecord.TakenOver;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.reuse.Memory;
import dev.weir.workflow.reuse.PresentFile;
import dev.weir.workflow.reuse.Remembrance;
import dev.weir.workflow.reuse.Rerun;
import dev.weir.workflow.reuse.Reused;
import dev.weir.workflow.reuse.Stamp;
import dev.weir.workflow.reuse.TakeOver;
import dev.weir.workflow.run.RunDirectories;
import dev.weir.workflow.run.RunPlan;
import dev.weir.workflow.run.Staging;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the user's earlier runs have done and this one need not do, and what this one leaves for
 * later ones. Whatever goes wrong here costs no more than that something is done again.
 */
final class EarlierRuns {

  /** How far the clocks of the NameNode and of this machine may be apart. */
  private static final long CLOCKS_MILLIS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(EarlierRuns.class);

  /** A run that left only its journals is passed over when they, with its plan, are longer. */
  static final long MOST_JOURNAL_BYTES = 32L << 20;

  /** So many runs that left only their journals are read. */
  private static final int MOST_JOURNALS = 5;

  private final DistributedFileSystem fs;
  private final RunPlan plan;
  private final String run;
  private final RunDirectories directories;
  private final Duration patience;
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
        LOG.warn("What earlier runs have done was not found out in {}: it is done again", patience);
        return List.of();
      }
      found = search.get();
      List<Reused> tasks = search.get().tasks();
      LOG.info("{} tasks were done by earlier runs", tasks.size());
      return tasks.stream()
          .map(done -> new TakenOver(done.task(), done.run(), done.firstTry(), done.outputs()))
          .toList();
    } catch (ExecutionException e) {
      LOG.warn("What earlier runs have done cannot be found out: it is done again", e);
      return List.of();
    }
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

  private Memory memory() throws IOException {
    Memory memory = new Memory(plan.workflow());
    KilledRuns killed = new KilledRuns(fs, directories, ApplicationId.fromString(run));
    int journals = 0;
    for (ApplicationId id : directories.remembered()) {
      String name = id.toString();
      if (name.equals(run)) {
        continue;
      }
      try (BufferedReader lines = directories.done(name)) {
        if (lines != null) {
          memory.add(lines, name);
          continue;
        }
        killed.tidy(id);
        if (journals < MOST_JOURNALS) {
          journals += harvest(directories.directory(name), name, memory) ? 1 : 0;
        }
      } catch (IOException | RuntimeException e) {
        LOG.warn("What {} has done cannot be read", name, e);
      }
    }
    return memory;
  }

  /**
   * A run that was killed, or goes on, has its journals only.
   *
   * @return whether it has any that were read
   */
  private boolean harvest(Staging directory, String name, Memory memory) throws IOException {
    // The length of one whose writer was killed may be 0 to the NameNode although it can be read.
    if (directory.names(Staging.JOURNAL).isEmpty()
        || directory.length(Staging.JOURNAL) + directory.length(Staging.PLAN)
            > MOST_JOURNAL_BYTES) {
      return false;
    }
    List<DispatchRecord> records = Journal.readWhatCanBe(fs, directory.directory());
    RunPlan other = directory.readJson(Staging.PLAN, RunPlan.class);
    Remembrance remembrance = remembrance(name, other);
    for (DispatchRecord record : records) {
      if (record instanceof AttemptEnded ended
          && ended.report().result() == TaskReport.Result.SUCCEEDED) {
        TaskReport report = ended.report();
        remembrance.succeeded(
            report.task(),
            report.attempt(),
            report.inputs().stream()
                .map(file -> new FileRecord(file.name(), file.sizeBytes(), file.crc32c()))
                .toList(),
            report.outputs().stream()
                .map(file -> new FileRecord(file.name(), file.sizeBytes(), file.crc32c()))
                .toList());
      } else if (record instanceof TakenOver taken) {
        remembrance.reused(reused(taken));
      }
    }
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    remembrance.write(lines, file -> null);
    memory.add(
        new BufferedReader(
            new InputStreamReader(
                new ByteArrayInputStream(lines.toByteArray()), StandardCharsets.UTF_8)),
        name);
    return true;
  }

  private static Remembrance remembrance(String name, RunPlan plan) {
    return new Remembrance(
        name, plan.dataDir(), plan.workflow(), plan.environment(), plan.standIn());
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
    Remembrance remembrance = remembrance(run, plan);
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
