package dev.weir.workflow.jobserver;

import dev.weir.hints.HintCodec;
import dev.weir.hints.HintText;
import dev.weir.workflow.controller.OrderFactory;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.journal.AttemptLabels;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.FileSlot.Kind;
import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TemporaryName;
import dev.weir.workflow.record.ReadFile;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.Effect;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Translates jobs into workers' orders. Workers know files by their sandbox names, the dispatcher
 * by their paths. Thread-safe.
 */
public final class JobOrders implements OrderFactory {

  private final JobRegistry jobs;
  private final String master;
  private final JobFileUses uses;
  private final Clock clock;

  /**
   * Creates the orders of one application attempt.
   *
   * @param master its label, as {@link AttemptLabels#master} makes it
   * @param uses decides which files node caches keep
   */
  public JobOrders(JobRegistry jobs, String master, JobFileUses uses, Clock clock) {
    this.jobs = jobs;
    this.master = master;
    this.uses = uses;
    this.clock = clock;
  }

  @Override
  public TaskOrder order(Effect.Start start) {
    Job job =
        jobs.job(start.task())
            .orElseThrow(
                () -> new IllegalStateException("No job '" + start.task() + "' in this session"));
    jobs.given(start, clock.millis());
    TaskOrder order =
        new TaskOrder(
            job.id(),
            start.attempt(),
            AttemptLabels.of(master, start.attempt()),
            job.command(),
            inputs(job, start),
            outputs(job, start),
            job.environment(),
            false,
            0,
            ResourceNeeds.of(job.options().needs()).atLeast(start.needs()));
    // Another worker may get the job when this one loses its ApplicationMaster.
    return order
        .asking(TaskOrder.ASK_AFTER_MILLIS)
        .limited(start.timeLimitSeconds(job.options().needs().timeLimitSeconds()))
        .withContainer(job.options().needs().container());
  }

  /** The node cache does not keep an input that is also an output of the job. */
  private List<FileSlot> inputs(Job job, Effect.Start start) {
    Set<String> made = new HashSet<>();
    job.outputs().forEach(file -> made.add(file.name()));
    List<FileSlot> slots = new ArrayList<>();
    for (JobFile file : job.inputs()) {
      boolean kept = uses.isWorthKeeping(file);
      Kind kind = kept && !made.contains(file.name()) ? Kind.SHARED : Kind.WHOLE;
      FileSlot slot =
          new FileSlot(file.name(), file.path(), file.sizeBytes(), kind, 0)
              .with(start.stores().inputs().getOrDefault(file.id(), NodeContent.NONE));
      slots.add(file.copied() ? slot.asCopy() : slot);
    }
    return slots;
  }

  /**
   * Returns the outputs that an attempt commits. Any may be an input of a later job. The patterns
   * come last, because their directory has the mark of the commit.
   */
  private static List<FileSlot> outputs(Job job, Effect.Start start) {
    Stream<FileSlot> named =
        job.outputs().stream()
            .filter(file -> start.outputs().contains(file.id()))
            .map(
                file ->
                    slot(
                        file,
                        start.stores().outputs().contains(file.id()) ? Kind.KEPT : Kind.HANDED));
    return Stream.concat(named, globs(job)).toList();
  }

  private static FileSlot slot(JobFile file, Kind kind) {
    return new FileSlot(file.name(), file.path(), file.sizeBytes(), kind, 0)
        .hinted(file.hint().isEmpty() ? "" : HintCodec.hintToJson(HintText.parse(file.hint())));
  }

  private static Stream<FileSlot> globs(Job job) {
    return job.globs().stream()
        .map(glob -> new FileSlot(glob.name(), glob.path(), 0, Kind.GLOB, 0));
  }

  /** The id of a job's file is its path without the leading slash. */
  @Override
  public String path(String file) {
    return "/" + file;
  }

  /** The copy of a file from its node to HDFS has the label of attempt 0, which no job has. */
  @Override
  public String temporaryPath(String file) {
    return TemporaryName.of(new FileSlot(file, path(file), 0), AttemptLabels.of(master, 0));
  }

  @Override
  public List<String> temporaryPaths(Effect.Discard cutOff) {
    List<FileSlot> slots =
        jobs.job(cutOff.task()).stream()
            .flatMap(
                job ->
                    Stream.concat(
                        job.outputs().stream()
                            .filter(file -> cutOff.outputs().contains(file.id()))
                            .map(file -> slot(file, Kind.HANDED)),
                        globs(job)))
            .toList();
    return AttemptLabels.upTo(master, cutOff.attempt()).stream()
        .flatMap(label -> slots.stream().map(slot -> TemporaryName.of(slot, label)).distinct())
        .toList();
  }

  @Override
  public TaskReport accept(TaskReport report) {
    return jobs.job(report.task()).map(job -> accept(job, report)).orElse(report);
  }

  private TaskReport accept(Job job, TaskReport report) {
    Map<String, String> inputs = ids(job.inputs());
    Map<String, String> outputs = ids(job.outputs());
    List<StoredFile> stored = new ArrayList<>();
    for (StoredFile file : report.outputs()) {
      stored.add(file.named(outputs.getOrDefault(file.name(), found(job, file.name()))));
    }
    List<ReadFile> read = new ArrayList<>();
    for (ReadFile file : report.inputs()) {
      read.add(file.named(inputs.getOrDefault(file.name(), file.name())));
    }
    stored.forEach(file -> uses.sized(path(file.name()), file.sizeBytes()));
    read.forEach(file -> uses.sized(path(file.name()), file.sizeBytes()));
    return report.withFiles(
        report.lostInputs().stream().map(name -> inputs.getOrDefault(name, name)).toList(),
        stored,
        read);
  }

  /** Returns the id of an output that a pattern of the job has found. */
  private static String found(Job job, String name) {
    return job.globs().isEmpty() ? name : job.globs().get(0).id() + "/" + name;
  }

  private static Map<String, String> ids(List<JobFile> files) {
    Map<String, String> ids = new HashMap<>();
    files.forEach(file -> ids.put(file.name(), file.id()));
    return ids;
  }
}
