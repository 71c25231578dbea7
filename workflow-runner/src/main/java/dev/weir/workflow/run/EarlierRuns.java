package dev.weir.workflow.run;

import dev.weir.workflow.concurrent.Deadline;
import dev.weir.workflow.hdfs.FileSums;
import dev.weir.workflow.hdfs.HdfsRefusals;
import dev.weir.workflow.hdfs.PresentFiles;
import dev.weir.workflow.journal.ReadBudget;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.reuse.CommandContext;
import dev.weir.workflow.reuse.DoneRunBuilder;
import dev.weir.workflow.reuse.DoneTaskIndex;
import dev.weir.workflow.reuse.FileVersion;
import dev.weir.workflow.reuse.InstalledTools;
import dev.weir.workflow.reuse.PresentFile;
import dev.weir.workflow.reuse.RerunChoice;
import dev.weir.workflow.reuse.ReusableTasks;
import dev.weir.workflow.scheduler.api.DispatchRecord.TakenOver;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds tasks that this run can reuse from the user's earlier runs, and stores its own results for
 * later ones. A failure only makes tasks run again, and is noted. One thread at a time.
 */
final class EarlierRuns {

  /** How far the clocks of the NameNode and of this machine may be apart. */
  private static final long CLOCKS_MILLIS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(EarlierRuns.class);

  private final DistributedFileSystem fs;
  private final RunPlan plan;
  private final ApplicationId run;
  private final RunDirectories directories;
  private final Limits limits;
  private final Clock clock;

  /** A cancelled search may still add notes. */
  private final List<String> notes = new CopyOnWriteArrayList<>();

  private ReusableTasks.@Nullable Found found;
  private @Nullable Map<String, String> tools;

  /**
   * Limits of the search.
   *
   * @param patience time limit; reading takes at most half of it
   * @param readBytes limit on the plans and journals of runs without stored results; they are read
   *     line by line, so this limits time, not memory
   * @param planBytes a killed run with a longer plan is not cleaned up
   */
  record Limits(Duration patience, long readBytes, long planBytes) {

    private static final long MOST_READ_BYTES = 1L << 30;

    /** Only the names of outputs are kept in memory, a part of the plan. */
    private static final long MOST_PLAN_BYTES = 128L << 20;

    static Limits within(Duration patience) {
      return new Limits(patience, MOST_READ_BYTES, MOST_PLAN_BYTES);
    }

    private ReadBudget begin(Clock clock) {
      return new ReadBudget(clock, patience.dividedBy(2), readBytes);
    }
  }

  /**
   * Creates a search.
   *
   * @param clock is not set meanwhile
   */
  EarlierRuns(
      RunPlan plan, RunDirectories directories, ApplicationId run, Limits limits, Clock clock) {
    this.limits = limits;
    this.clock = clock;
    this.fs = directories.fs();
    this.plan = plan;
    this.run = run;
    this.directories = directories;
  }

  /** Finds the tasks that need not run; none when the search fails. */
  List<TakenOver> takeOver() throws InterruptedException {
    RerunChoice rerun = RerunChoice.parse(plan.choices().rerun());
    // Also with --rerun all: later runs compare these programs with theirs.
    Optional<Map<String, String>> installed = within(this::storedOrInstalled);
    tools = installed.orElse(Map.of());
    if (rerun.isAll()) {
      return List.of();
    }
    if (installed.isEmpty()) {
      note("needs the installed programs, which cannot be listed on this node", null);
      return List.of();
    }
    return takeOver(rerun, installed.get());
  }

  /**
   * Finds the tasks that need not run in a plan to which tasks were added; none when the search
   * fails.
   */
  List<TakenOver> takeOver(RunPlan grown) throws InterruptedException {
    return new EarlierRuns(grown, directories, run, limits, clock)
        .takeOver(RerunChoice.parse(grown.choices().rerun()), tools(grown));
  }

  private List<TakenOver> takeOver(RerunChoice rerun, Map<String, String> installed)
      throws InterruptedException {
    try {
      Optional<ReusableTasks.Found> search =
          Deadline.within(limits.patience(), () -> search(rerun, installed));
      if (search.isEmpty()) {
        note("was not found out in " + limits.patience().toSeconds() + " s", null);
        return List.of();
      }
      found = search.get();
      List<TakenOver> tasks = search.get().tasks();
      LOG.info("Reusing {} tasks from earlier runs", tasks.size());
      return tasks;
    } catch (ExecutionException e) {
      note("cannot be found out (" + HdfsRefusals.explained(e.getCause()) + ")", e);
      return List.of();
    }
  }

  /** Reads programs within the time limit: a directory may be on a mount that hangs. */
  private Optional<Map<String, String>> within(Callable<Map<String, String>> read)
      throws InterruptedException {
    try {
      Optional<Map<String, String>> programs = Deadline.within(limits.patience(), read);
      if (programs.isEmpty()) {
        LOG.warn("Cannot list the installed programs in {}", limits.patience());
      }
      return programs;
    } catch (ExecutionException e) {
      LOG.warn("Cannot list the installed programs", e);
      return Optional.empty();
    }
  }

  /**
   * Returns the installed programs that the tasks name, on the node of the first ApplicationMaster
   * when the run began. A failure to store them only lets another ApplicationMaster look again.
   */
  private Map<String, String> storedOrInstalled() {
    @Nullable Map<String, String> known = null;
    Staging staging = directories.directory(run.toString());
    try {
      known = stored(staging);
      if (known == null) {
        known = plan.standIn() ? Map.of() : installed(plan);
        staging.writeJson(Staging.TOOLS, known);
      }
    } catch (IOException e) {
      LOG.warn("Cannot store the installed programs of run {} in {}", run, Staging.TOOLS, e);
      known = known == null ? installed(plan) : known;
    }
    return known;
  }

  /** Also those that added tasks name; those that cannot be listed count as not installed. */
  private Map<String, String> tools(RunPlan grown) {
    Map<String, String> all = new HashMap<>();
    try {
      if (grown.workflow().tasks().size() != plan.workflow().tasks().size()) {
        all.putAll(within(() -> installed(grown)).orElse(Map.of()));
      }
      if (tools == null) {
        tools = within(this::storedOrInstalled).orElse(Map.of());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.warn("Interrupted while the installed programs were listed", e);
    }
    if (tools != null) {
      all.putAll(tools);
    }
    return all;
  }

  private static Map<String, String> installed(RunPlan plan) {
    String path = plan.environment().getOrDefault("PATH", System.getenv().getOrDefault("PATH", ""));
    return new InstalledTools(path).of(plan.workflow().tasks());
  }

  /** Returns the installed programs that a run has stored; null if it has not. */
  @SuppressWarnings("unchecked") // a JSON object of strings
  static @Nullable Map<String, String> stored(Staging staging) throws IOException {
    try {
      return staging.readJson(Staging.TOOLS, Map.class);
    } catch (FileNotFoundException | Staging.UnreadableException e) {
      return null;
    }
  }

  /** Returns notes for the user about skipped runs. */
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

  private ReusableTasks.Found search(RerunChoice rerun, Map<String, String> installed)
      throws IOException, InterruptedException {
    DoneTaskIndex memory = memory();
    if (memory.isEmpty()) {
      return new ReusableTasks.Found(List.of(), List.of());
    }
    Map<String, PresentFile> present = new HashMap<>(new PresentFiles(fs, plan).all());
    Set<String> passing = LiveRuns.intermediateFiles(directories, run.toString());
    present.keySet().removeIf(id -> passing.contains(plan.path(id)));
    return new ReusableTasks(
            new ReusableTasks.Query(
                plan.workflow(),
                plan.dataDir(),
                new CommandContext(plan.environment(), installed, plan.standIn()),
                rerun),
            memory,
            present,
            new FileSums(fs, plan))
        .find();
  }

  private DoneTaskIndex memory() throws IOException, InterruptedException {
    DoneTaskIndex memory = new DoneTaskIndex(plan.workflow());
    ReadBudget allowance = limits.begin(clock);
    new EarlierRunReader(
            directories,
            new KilledRuns(directories, run, limits.planBytes(), allowance),
            allowance,
            notes::add)
        .fill(directories.remembered().stream().filter(id -> !id.equals(run)).toList(), memory);
    return memory;
  }

  /**
   * Stores this run's results.
   *
   * @param grown the plan with the tasks that were added
   * @param taken the tasks that it reused
   * @return whether all results are stored, so that the journals are not needed any more
   */
  boolean remember(RunPlan grown, RunRecord record, List<TakenOver> taken) {
    DoneRunBuilder remembrance =
        new DoneRunBuilder(
            run.toString(),
            grown.dataDir(),
            grown.workflow(),
            new CommandContext(grown.environment(), tools(grown), grown.standIn()));
    if (found != null) {
      found.inputs().forEach(remembrance::input);
    }
    taken.forEach(remembrance::reused);
    for (TaskRecord attempt : record.tasks()) {
      if (attempt.outcome() == Outcome.SUCCEEDED) {
        remembrance.succeeded(
            attempt.task(), attempt.attempt(), attempt.files().inputs(), attempt.files().outputs());
      }
    }
    try {
      if (!remembrance.isEmpty()) {
        Map<String, PresentFile> present = new PresentFiles(fs, grown).allWithoutHosts();
        long unchangedSince = record.started().toEpochMilli() - CLOCKS_MILLIS;
        directories.writeDone(
            run.toString(),
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
      LOG.warn("Cannot store the results of this run; its journals stay", e);
      return false;
    }
  }

  /**
   * Returns the version if the file has not been written since. Without a version HDFS is asked for
   * the checksum.
   */
  private static @Nullable FileVersion before(@Nullable FileVersion stamp, long millis) {
    return stamp != null && stamp.modified() < millis ? stamp : null;
  }
}
