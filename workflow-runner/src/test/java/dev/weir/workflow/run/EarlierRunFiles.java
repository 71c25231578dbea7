package dev.weir.workflow.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.ReadFile;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.reuse.CommandContext;
import dev.weir.workflow.reuse.DoneRunBuilder;
import dev.weir.workflow.reuse.RerunChoice;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Creates the files of runs that were killed, or have ended, before another run searches for them.
 */
final class EarlierRunFiles {

  /** The run that searches. */
  static final ApplicationId OWN = ApplicationId.newInstance(7, 3);

  static final ApplicationId KILLED = ApplicationId.newInstance(7, 2);

  /** A run before {@link #KILLED}. */
  static final ApplicationId OLDER = ApplicationId.newInstance(7, 1);

  static final Duration TIMEOUT = Duration.ofMinutes(4);

  static final String JOURNAL = "journal-0001-000001.jsonl";

  private static final ObjectWriter LINES = new ObjectMapper().writerFor(Journal.Line.class);
  private static final int GATHERED = 1_000;

  /** As long as the paths of real workflows, which include directories. */
  private static final String PARTS = "intermediate/of/a/large/workflow/part-";

  private final DistributedFileSystem fs;
  private final RunDirectories directories;

  /** Uses a file system; call {@link #begin} first. */
  EarlierRunFiles(DistributedFileSystem fs) {
    this.fs = fs;
    this.directories = RunDirectories.own(fs);
  }

  /** Deletes all runs, and writes the input and the result of their plans. */
  void begin() throws IOException {
    directories.forgetRuns();
    fs.delete(new Path("/data"), true);
    fs.create(new Path("/data/in")).close();
    fs.create(new Path("/data/result")).close();
  }

  /**
   * Returns a plan of tasks that read one file, tasks that gather their outputs, and a last task.
   */
  static RunPlan plan(int parts) {
    List<Task> tasks = new ArrayList<>();
    List<String> gathered = new ArrayList<>();
    for (int first = 0; first < parts; first += GATHERED) {
      List<String> made = new ArrayList<>();
      for (int i = first; i < Math.min(parts, first + GATHERED); i++) {
        String file = PARTS + i;
        tasks.add(
            new Task(
                "part-" + i,
                "part",
                List.of("bin/part", "--from", "in", "--number", "" + i, "--to", file),
                List.of("in"),
                List.of(file, file + ".index"),
                1.5));
        made.addAll(List.of(file, file + ".index"));
      }
      tasks.add(Plans.task("gather-" + first, made, List.of("sum-" + first)));
      gathered.add("sum-" + first);
    }
    tasks.add(Plans.task("end", gathered, List.of("result")));
    return Plans.with(
        Plans.of(1, tasks.toArray(Task[]::new)), RunOptions.DEFAULT.withRerun(RerunChoice.NONE));
  }

  Staging directory(ApplicationId run) {
    return directories.directory(run.toString());
  }

  Path file(ApplicationId run, String name) {
    return directory(run).file(name);
  }

  /** Writes the directory of a run that was killed when all tasks had ended. */
  void kill(ApplicationId run, RunPlan plan) throws IOException {
    fs.mkdirs(directory(run).directory());
    directory(run).writeJson(Staging.PLAN, plan);
    write(file(run, JOURNAL), plan, 0);
  }

  /** Writes a journal in which all tasks end; its lines are numbered from {@code before} + 1. */
  void write(Path journal, RunPlan plan, long before) throws IOException {
    try (OutputStream out = fs.create(journal)) {
      long number = before;
      String run = journal.getParent().getName();
      for (Task task : plan.workflow().tasks()) {
        out.write(LINES.writeValueAsBytes(new Journal.Line(1, ++number, ended(run, task))));
        out.write('\n');
      }
    }
  }

  private static DispatchRecord ended(String run, Task task) {
    return new DispatchRecord.AttemptEnded(
        new WorkerInfo("container_1700000000000_0001_01_000002", "node-17.example", "/rack-1"),
        1_700_000_000_000L,
        1_700_000_000_000L,
        1_700_000_001_000L,
        new TaskReport(
            ScopedId.of(run, task.id()),
            1,
            Result.SUCCEEDED,
            0,
            "",
            "",
            List.of(),
            task.outputs().stream()
                .map(
                    file ->
                        new StoredFile(ScopedId.of(run, file), 0, Map.of("node-17.example", 0L), 0))
                .toList(),
            Usage.NONE,
            task.inputs().stream().map(file -> new ReadFile(ScopedId.of(run, file), 0, 0)).toList(),
            ResourceUse.NONE),
        false,
        false,
        null);
  }

  /** Writes the directory of a run that has ended. */
  void end(ApplicationId run, RunPlan plan) throws IOException {
    DoneRunBuilder done =
        new DoneRunBuilder(
            run.toString(),
            plan.dataDir(),
            plan.workflow(),
            new CommandContext(plan.environment(), Map.of(), plan.standIn()));
    for (Task task : plan.workflow().tasks()) {
      done.succeeded(
          task.id(),
          1,
          task.inputs().stream().map(file -> new FileRecord(file, 0, 0)).toList(),
          task.outputs().stream().map(file -> new FileRecord(file, 0, 0)).toList());
    }
    directories.writeDone(run.toString(), out -> done.write(out, file -> null));
    directory(run).tidy(true);
  }

  /** Writes the plan of the searching run and returns it. */
  RunPlan next(RunPlan plan) throws IOException {
    Staging own = directory(OWN);
    fs.mkdirs(own.directory());
    own.writeJson(Staging.PLAN, plan);
    own.writeJson(Staging.OTHERS, List.of());
    return own.readJson(Staging.PLAN, RunPlan.class);
  }

  /** Returns the search of that run. */
  EarlierRuns search(RunPlan plan) {
    return search(plan, EarlierRuns.Limits.within(TIMEOUT));
  }

  /** Returns a search with other limits. */
  EarlierRuns search(RunPlan plan, EarlierRuns.Limits limits) {
    return search(plan, limits, Clock.systemUTC());
  }

  /** Returns a search with another clock. */
  EarlierRuns search(RunPlan plan, EarlierRuns.Limits limits, Clock clock) {
    return new EarlierRuns(plan, directories, OWN, limits, clock);
  }

  /** Returns the length of a run's plan and journals in bytes. */
  long bytes(ApplicationId run) throws IOException {
    return directory(run).length(Staging.JOURNAL) + directory(run).length(Staging.PLAN);
  }
}
