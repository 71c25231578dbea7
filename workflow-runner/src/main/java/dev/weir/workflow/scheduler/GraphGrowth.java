package dev.weir.workflow.scheduler;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.TakenOver;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.scheduler.state.FileState;
import dev.weir.workflow.scheduler.state.ReadRate;
import dev.weir.workflow.scheduler.state.StepBuilder;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Adds the tasks of a workflow to a graph that runs. They may read files that the graph has or will
 * make. Tasks of the graph never read files of added tasks, so no cycle can arise. The tasks of a
 * sub-workflow are an exception, because they make the outputs of the task that stands for it: the
 * caller has checked that they cause no cycle. Not thread-safe.
 */
final class GraphGrowth {

  private final WorkflowState graph;
  private final StepBuilder stepBuilder;
  private final SteeringHandler steering;
  private final GraphCompletion completion;
  private final LostFiles lostFiles;

  GraphGrowth(
      WorkflowState graph,
      SteeringHandler steering,
      GraphCompletion completion,
      LostFiles lostFiles) {
    this.completion = completion;
    this.lostFiles = lostFiles;
    this.graph = graph;
    this.stepBuilder = graph.session().stepBuilder();
    this.steering = steering;
  }

  /**
   * Requests the tasks of sub-workflows whose inputs are there. A task that stands for one is done
   * when all its tasks are.
   */
  void expand() {
    for (List<TaskState> some = graph.readyTasks().takeSubWorkflows();
        !some.isEmpty();
        some = graph.readyTasks().takeSubWorkflows()) {
      for (TaskState task : some) {
        boolean canStart =
            task.status() == TaskState.Status.WAITING && task.missing() == 0 && !graph.isOver();
        if (canStart && task.expansion() == TaskState.ExpansionStatus.ADDED) {
          graph.markDone(task, List.of(), stepBuilder.now());
        } else if (canStart && task.expansion() == TaskState.ExpansionStatus.NONE) {
          task.setExpansion(TaskState.ExpansionStatus.REQUESTED);
          stepBuilder.effect(new Effect.Expand(graph.id(), task.task().id()));
        }
      }
    }
  }

  /**
   * Handles that the tasks of a sub-workflow cannot be added: the task that stands for it fails.
   */
  void notExpanded(String task, String reason) {
    TaskState parent = endRequest(task);
    if (parent != null) {
      completion.failed(parent, reason);
    }
  }

  /**
   * Handles that the file of a sub-workflow is lost. If a task makes it, it is made again, and then
   * read; otherwise the task that stands for the sub-workflow fails.
   */
  void workflowLost(String task, String reason) {
    TaskState parent = endRequest(task);
    if (parent == null) {
      return;
    }
    String name = SubWorkflow.of(parent.task().command()).orElseThrow().file();
    FileState file = graph.file(ScopedId.of(graph.id(), name));
    if (file.producer() != null && !file.available()) {
      // Another reader has found the loss before, and it is counted.
      return;
    }
    if (file.producer() == null || completion.isLostTooOften(file)) {
      completion.failed(parent, reason);
    } else {
      lostFiles.markLost(List.of(file));
    }
  }

  /** Returns the task whose expansion was requested and has ended; null if there is none. */
  private @Nullable TaskState endRequest(String task) {
    TaskState parent = graph.taskNamed(task);
    if (parent == null
        || graph.isOver()
        || parent.expansion() != TaskState.ExpansionStatus.REQUESTED) {
      return null;
    }
    parent.setExpansion(TaskState.ExpansionStatus.NONE);
    return parent;
  }

  /**
   * Adds tasks, unless they were added before or do not fit; answers the request.
   *
   * @param done what an earlier run has done of them and of the tasks after them, with scoped ids
   */
  void grow(Graph added, DispatchRecord.GraphGrown record, List<TakenOver> done) {
    int tasks = added.workflow().tasks().size();
    SteeringAnswer answer;
    if (steering.wasApplied(record.request())) {
      answer = new SteeringAnswer(tasks, "already added");
    } else {
      Optional<String> refusal = refusal(added, record);
      if (refusal.isPresent()) {
        answer = new SteeringAnswer(0, refusal.get());
      } else {
        stepBuilder.record(record);
        add(added, record, done);
        answer = new SteeringAnswer(tasks, tasks == 1 ? "1 task added" : tasks + " tasks added");
      }
    }
    stepBuilder.effect(new Effect.Answer(graph.id(), record.request(), answer));
  }

  /** Replays an addition of an earlier dispatcher. */
  void replay(Graph added, DispatchRecord.GraphGrown record) {
    stepBuilder.begin(record.millis());
    add(added, record, List.of());
  }

  /** Returns why the tasks cannot be added now; empty when they can. */
  private Optional<String> refusal(Graph added, DispatchRecord.GraphGrown record) {
    if (graph.isOver()) {
      return Optional.of("the run is ending and takes no more tasks: start them as another run");
    }
    TaskState parent = parent(record);
    if (record.expands().isPresent()
        && (parent == null
            || parent.settled()
            || parent.expansion() == TaskState.ExpansionStatus.ADDED)) {
      return Optional.of("the task '" + record.expands().get() + "' was cancelled or is not known");
    }
    Set<String> found = added.inputs().stream().map(StoredFile::name).collect(Collectors.toSet());
    Set<String> missing =
        added.workflow().graph().workflowInputs().stream()
            .map(DataFile::id)
            .filter(name -> !found.contains(name) && graph.named(name).findAny().isEmpty())
            .collect(Collectors.toSet());
    return added.workflow().tasks().stream()
        .flatMap(task -> refusal(task, missing, parent).stream())
        .findFirst();
  }

  /** The task that stands for the added tasks; null if these are not those of a sub-workflow. */
  private @Nullable TaskState parent(DispatchRecord.GraphGrown record) {
    return record.expands().map(graph::taskNamed).orElse(null);
  }

  private Optional<String> refusal(Task task, Set<String> missing, @Nullable TaskState parent) {
    if (graph.taskNamed(task.id()) != null) {
      return Optional.of("the run has a task '" + task.id() + "' already: give it another id");
    }
    for (String output : task.outputs()) {
      Optional<FileState> known = graph.named(output).findAny();
      if (known.isPresent() && (parent == null || known.get().producer() != parent)) {
        return Optional.of(refused(task, known.get()));
      }
    }
    for (String input : task.inputs()) {
      if (missing.contains(input)) {
        return Optional.of(
            ("task '%s' reads '%s', which is not in HDFS, and no task of the run makes it: put it"
                    + " there, or correct its name")
                .formatted(task.id(), input));
      }
      Optional<TaskState> dropped = graph.named(input).flatMap(GraphGrowth::droppedMaker).findAny();
      if (dropped.isPresent()) {
        return Optional.of(
            "task '%s' reads '%s', whose task '%s' has failed or was cancelled: retry it first"
                .formatted(task.id(), input, dropped.get().task().id()));
      }
    }
    return graph.session().workers().workerSize().refusal(task);
  }

  private static Stream<TaskState> droppedMaker(FileState file) {
    TaskState maker = file.producer();
    return maker != null && !file.available() && maker.status() == TaskState.Status.DROPPED
        ? Stream.of(maker)
        : Stream.empty();
  }

  private static String refused(Task task, FileState output) {
    TaskState maker = output.producer();
    return "task '%s' writes '%s', which %s: write another file"
        .formatted(
            task.id(),
            output.name(),
            maker == null
                ? "is an input of the run"
                : "the task '" + maker.task().id() + "' of the run makes");
  }

  private void add(Graph added, DispatchRecord.GraphGrown record, List<TakenOver> done) {
    steering.markApplied(record.request());
    TaskState parent = parent(record);
    List<FileState> remade = requireInputs(added);
    addOutputs(added.workflow());
    List<TaskState> fresh =
        graph.add(added.workflow(), added.habits(), parent == null ? 0 : parent.rank());
    if (parent != null) {
      parent.setExpansion(TaskState.ExpansionStatus.ADDED);
      parent.handOver(fresh);
      inherit(parent, fresh);
    }
    raiseRanks(fresh);
    done.forEach(this::takeOver);
    steering.dropOrphans(remade);
    graph.offerProducers(remade, stepBuilder.now());
    fresh.forEach(task -> graph.readyTasks().offer(task, stepBuilder.now()));
  }

  /** What a user has done with the task that stands for a sub-workflow applies to its tasks. */
  private void inherit(TaskState parent, List<TaskState> tasks) {
    for (TaskState task : tasks) {
      if (parent.isHeld()) {
        task.setHeld(true);
      }
      if (parent.priority() != task.priority()) {
        graph.session().assignments().prioritise(task, parent.priority());
      }
    }
  }

  private void takeOver(TakenOver taken) {
    TaskState task = graph.taskOrNull(taken.task());
    if (task != null && !task.settled() && task.attempts() == 0 && !task.isSubWorkflow()) {
      stepBuilder.record(taken);
      graph.readyTasks().putBack(task);
      graph.takeOver(task, taken.outputs());
    }
  }

  /**
   * Makes the inputs known, and keeps those of the graph: a file that was a result stays one, and a
   * deleted one is made again.
   *
   * @return the files that are made again
   */
  private List<FileState> requireInputs(Graph added) {
    Map<String, StoredFile> found =
        added.inputs().stream().collect(Collectors.toMap(StoredFile::name, Function.identity()));
    List<FileState> remade = new ArrayList<>();
    for (DataFile input : added.workflow().graph().workflowInputs()) {
      Optional<FileState> known = graph.named(input.id()).findAny();
      if (known.isEmpty()) {
        graph.add(input);
        graph.locate(
            found.getOrDefault(
                input.id(), new StoredFile(input.id(), input.sizeBytes(), Map.of())));
        continue;
      }
      FileState file = known.get();
      if (file.producer() != null && file.isResult()) {
        file.markWanted();
      }
      if (file.isReleased()) {
        remade.addAll(graph.requireAgain(file));
      }
      if (mustBeInHdfs(added.workflow(), input.id())) {
        file.allowOnNode(false);
        if (file.isOnNode()) {
          remade.addAll(graph.invalidate(file));
          remade.add(file);
        }
      }
    }
    return remade;
  }

  /** Whether regions of a file are read, or the workflow in it: both from HDFS only. */
  private static boolean mustBeInHdfs(Workflow workflow, String file) {
    return workflow.tasks().stream()
        .anyMatch(
            task ->
                !task.regionsOf(file).isEmpty()
                    || (SubWorkflow.is(task.command()) && task.inputs().contains(file)));
  }

  private void addOutputs(Workflow workflow) {
    for (Task task : workflow.tasks()) {
      for (String output : task.outputs()) {
        if (graph.named(output).findAny().isEmpty()) {
          graph.add(Objects.requireNonNull(workflow.files().get(output)));
        }
        if (mustBeInHdfs(workflow, output)) {
          graph.named(output).forEach(file -> file.allowOnNode(false));
        }
      }
    }
  }

  /** Raises the ranks of unsettled tasks on which added tasks depend. */
  private void raiseRanks(List<TaskState> added) {
    Set<TaskState> known = new HashSet<>(added);
    Set<TaskState> before = new LinkedHashSet<>();
    List<TaskState> open = new ArrayList<>(added);
    for (int i = 0; i < open.size(); i++) {
      for (FileState input : open.get(i).inputs()) {
        collect(input.producer(), known, before, open);
      }
      for (String first : open.get(i).task().after()) {
        collect(graph.taskNamed(first), known, before, open);
      }
    }
    // A task has a lower rank than those before it, so its new rank is known when theirs is set.
    List<TaskState> order = new ArrayList<>(before);
    order.sort(Comparator.comparingDouble(task -> task.rank()));
    for (TaskState task : order) {
      double below = task.dependents().stream().mapToDouble(one -> one.rank()).max().orElse(0);
      graph.rank(task, Math.max(task.rank(), cost(task) + below));
    }
  }

  private static void collect(
      @Nullable TaskState task, Set<TaskState> known, Set<TaskState> before, List<TaskState> open) {
    if (task != null && !task.settled() && !known.contains(task) && before.add(task)) {
      open.add(task);
    }
  }

  private static double cost(TaskState task) {
    long bytes = task.outputs().stream().mapToLong(file -> file.sizeBytes()).sum();
    for (FileState input : task.inputs()) {
      List<FileRegion> regions = task.task().regionsOf(input.name());
      bytes +=
          regions.isEmpty()
              ? input.sizeBytes()
              : regions.stream().mapToLong(FileRegion::length).sum();
    }
    return task.seconds() + bytes / ReadRate.ASSUMED;
  }
}
