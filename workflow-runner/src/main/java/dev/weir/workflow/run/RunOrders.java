package dev.weir.workflow.run;

import dev.weir.workflow.controller.OrderFactory;
import dev.weir.workflow.hdfs.InputLocations;
import dev.weir.workflow.journal.AttemptLabels;
import dev.weir.workflow.journal.ScopedRecords;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.KeptInputs;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.FileSlot.Kind;
import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TemporaryName;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.staging.RunPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Translates the dispatcher's decisions about a run into workers' orders. Tasks have scoped ids in
 * both. Workers know files by their sandbox names, which are the workflow's ids. Immutable.
 */
public final class RunOrders implements OrderFactory {

  private static final double MILLIS_PER_SECOND = 1000;

  private final String graph;
  private final RunPlan plan;
  private final String master;
  private final UnaryOperator<String> hints;
  private final Map<String, Task> tasks = new HashMap<>();
  private final Set<String> regionFiles;
  private final Set<String> shared = new HashSet<>();

  /** Files that one task writes and another reads. */
  private final Set<String> handed = new HashSet<>();

  /**
   * Creates the orders of one application attempt.
   *
   * @param master its label, as {@link AttemptLabels#master} makes it
   * @param hints the hint of the output with a path, as JSON; empty for none
   */
  public RunOrders(String graph, RunPlan plan, String master, UnaryOperator<String> hints) {
    this.graph = graph;
    this.plan = plan;
    this.master = master;
    this.hints = hints;
    this.regionFiles = InputLocations.regionFiles(plan.workflow());
    Map<String, Integer> readers = new HashMap<>();
    for (Task task : plan.workflow().tasks()) {
      tasks.put(task.id(), task);
      task.inputs().forEach(input -> readers.merge(input, 1, Integer::sum));
    }
    plan.workflow().tasks().forEach(task -> handed.addAll(task.outputs()));
    handed.retainAll(readers.keySet());
    int nodes = plan.nodes();
    readers.forEach(
        (file, count) -> {
          if (isWorthKeeping(plan.workflow().files().get(file), count, nodes)) {
            shared.add(file);
          }
        });
  }

  /** A file of unknown size counts as large. */
  private static boolean isWorthKeeping(@Nullable DataFile file, int readers, int nodes) {
    long bytes = file == null ? 0 : file.sizeBytes();
    return KeptInputs.isWorthKeeping(bytes > 0 ? bytes : Double.MAX_VALUE, readers, nodes);
  }

  @Override
  public TaskOrder order(Effect.Start start) {
    Task task = task(ScopedId.id(start.task()));
    return new TaskOrder(
        start.task(),
        start.attempt(),
        AttemptLabels.of(master, start.attempt()),
        task.command(),
        inputs(task, start),
        outputs(start),
        plan.environment(),
        plan.standIn(),
        Math.round(task.runtimeSeconds() * MILLIS_PER_SECOND),
        ResourceNeeds.of(task.needs()).atLeast(start.needs()),
        task.joinsRegions(),
        // Also without speculation: another worker may have the task meanwhile.
        start.copy() ? 0 : TaskOrder.ASK_AFTER_MILLIS,
        TimeUnit.SECONDS.toMillis(start.timeLimitSeconds(task.needs().timeLimitSeconds())),
        plan.standIn() ? TaskOrder.NO_CONTAINER : task.needs().container());
  }

  @Override
  public String path(String file) {
    return plan.path(ScopedId.id(file));
  }

  /** No attempt has the number 0. */
  @Override
  public String temporaryPath(String file) {
    return TemporaryName.of(slot(ScopedId.id(file)), AttemptLabels.of(master, 0));
  }

  /**
   * The scoped id of a file of the run.
   *
   * @param path absolute path in HDFS
   * @return the id; empty when the workflow, which may declare unused files, does not have it
   */
  Optional<String> id(String path) {
    String file = plan.fileId(path);
    return plan.workflow().files().containsKey(file)
        ? Optional.of(ScopedId.of(graph, file))
        : Optional.empty();
  }

  @Override
  public TaskReport accept(TaskReport report) {
    return ScopedRecords.renamed(report, task -> task, file -> ScopedId.of(graph, file));
  }

  @Override
  public List<String> temporaryPaths(Effect.Discard cutOff) {
    if (task(ScopedId.id(cutOff.task())).joinsRegions()) {
      // A joined output may hold the only copy of its regions, and the next attempt continues it.
      return List.of();
    }
    List<FileSlot> slots = slots(cutOff.outputs().stream().map(ScopedId::id).toList());
    return AttemptLabels.upTo(master, cutOff.attempt()).stream()
        .flatMap(label -> slots.stream().map(slot -> TemporaryName.of(slot, label)))
        .toList();
  }

  public Task task(String id) {
    Task task = tasks.get(id);
    if (task == null) {
      throw new IllegalArgumentException("No task '" + id + "' in this workflow");
    }
    return task;
  }

  List<FileSlot> slots(List<String> fileIds) {
    return fileIds.stream().map(this::slot).toList();
  }

  private List<FileSlot> outputs(Effect.Start start) {
    List<FileSlot> outputs = new ArrayList<>(start.outputs().size());
    for (String output : start.outputs()) {
      String id = ScopedId.id(output);
      FileSlot slot = start.stores().outputs().contains(output) ? slot(id, Kind.KEPT) : slot(id);
      String path = plan.path(id);
      outputs.add(slot.kind() == Kind.REGION ? slot : slot.hinted(hints.apply(path)));
    }
    return outputs;
  }

  private FileSlot slot(String id) {
    Kind kind = Kind.WHOLE;
    if (FileRegion.parse(id).isPresent()) {
      kind = Kind.REGION;
    } else if (regionFiles.contains(id)) {
      kind = Kind.LOCATED;
    } else if (handed.contains(id)) {
      kind = Kind.HANDED;
    }
    return slot(id, kind);
  }

  private FileSlot slot(String id, Kind kind) {
    var file = plan.workflow().files().get(id);
    return new FileSlot(id, plan.path(id), file == null ? 0 : file.sizeBytes(), kind, 0);
  }

  /** A file that no other task reads is not put into the cache, but may already be there. */
  private Kind ownKind(String input) {
    return handed.contains(input) ? Kind.HANDED : Kind.WHOLE;
  }

  private List<FileSlot> inputs(Task task, Effect.Start start) {
    List<FileSlot> slots = new ArrayList<>();
    for (String input : task.inputs()) {
      NodeContent content =
          start.stores().inputs().getOrDefault(ScopedId.of(graph, input), NodeContent.NONE);
      List<FileRegion> regions = task.regionsOf(input);
      if (regions.isEmpty()) {
        Kind kind = shared.contains(input) ? Kind.SHARED : ownKind(input);
        slots.add(slot(input, kind).with(content));
      }
      for (FileRegion region : regions) {
        slots.add(
            new FileSlot(
                region.id(),
                plan.path(region.file()),
                region.length(),
                Kind.REGION,
                region.offset()));
      }
    }
    return slots;
  }
}
