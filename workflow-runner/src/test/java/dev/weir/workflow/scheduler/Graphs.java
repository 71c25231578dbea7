package dev.weir.workflow.scheduler;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.scheduler.state.FileState;
import dev.weir.workflow.scheduler.state.SessionState;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Workflows for tests. */
public final class Graphs {
  private static final long BYTES = 1000;

  private static final WorkflowState NO_TASKS =
      WorkflowState.ofJobs(
          SessionState.of(AssignmentPolicy.DATA_AWARE, WorkerSize.ONE_TASK),
          task -> Optional.empty());

  private Graphs() {}

  /** The state of a graph without a prefix, in the data-aware policy. */
  public static WorkflowState state(Workflow workflow, WorkerSize size, TaskProfiles profiles) {
    return new WorkflowState(
        new Graph(
            "",
            workflow,
            Limits.DEFAULT,
            0,
            false,
            profiles,
            Set.of(),
            Set.of(),
            List.of(),
            Set.of()),
        true,
        SessionState.of(AssignmentPolicy.DATA_AWARE, size));
  }

  /** A session of one graph. */
  static SessionGraphs session(WorkflowState graph) {
    SessionGraphs session = new SessionGraphs(graph.session());
    session.add(
        new GraphRun(graph, Limits.DEFAULT, new NodeBlacklist(), new WriteBackScheduler(session)));
    return session;
  }

  /** A task that is not linked into its graph. */
  public static TaskState state(
      Task task, List<FileState> inputs, List<FileState> outputs, double rank) {
    return new TaskState(NO_TASKS, task, inputs, outputs, rank);
  }

  public static Task task(String id, List<String> inputs, List<String> outputs) {
    return new Task(id, "type", List.of("true", id), inputs, outputs, 1);
  }

  /** A task that reads nothing and writes nothing. */
  public static Task idle(String id, ResourceNeeds needs) {
    return new Task(
        id, "type", List.of("true"), List.of(), List.of(), List.of(), 1, declared(needs));
  }

  private static TaskNeeds declared(ResourceNeeds needs) {
    return new TaskNeeds(needs.cores(), needs.memoryBytes(), 0);
  }

  public static Workflow of(Task... tasks) {
    return of(List.of(tasks));
  }

  public static Workflow of(List<Task> tasks) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (Task task : tasks) {
      for (String file : task.inputs()) {
        files.put(file, new DataFile(file, BYTES));
      }
      for (String file : task.outputs()) {
        files.put(file, new DataFile(file, BYTES));
      }
    }
    return new Workflow("test", tasks, files);
  }

  /** Returns a workflow whose author calls a file temporary. */
  static Workflow withTemporary(Workflow workflow, String file) {
    Map<String, DataFile> files = new LinkedHashMap<>(workflow.files());
    files.put(file, new DataFile(file, BYTES, "temporary"));
    return new Workflow(workflow.name(), workflow.tasks(), files);
  }

  /** in → a → fa → b → fb → c → fc. */
  public static Workflow chain() {
    return of(
        task("a", List.of("in"), List.of("fa")),
        task("b", List.of("fa"), List.of("fb")),
        task("c", List.of("fb"), List.of("fc")));
  }

  /**
   * Tasks {@code t0} to {@code t(n-1)} without inputs, and the chain {@code next} and {@code last}
   * after t0.
   */
  public static Workflow fan(int n) {
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      tasks.add(task("t" + i, List.of(), List.of("f" + i)));
    }
    tasks.add(task("next", List.of("f0"), List.of("g")));
    tasks.add(task("last", List.of("g"), List.of("h")));
    return of(tasks);
  }

  /**
   * Tasks that read files of earlier tasks or inputs of the workflow; some only come after others.
   * Each has one of the given needs.
   */
  public static Workflow random(Random random, List<ResourceNeeds> needs) {
    int count = 2 + random.nextInt(30);
    List<String> made = new ArrayList<>(List.of("in0", "in1"));
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Set<String> inputs = new LinkedHashSet<>();
      for (int k = random.nextInt(4); k >= 0; k--) {
        inputs.add(made.get(random.nextInt(made.size())));
      }
      List<String> outputs = new ArrayList<>();
      for (int k = random.nextInt(3); k > 0; k--) {
        outputs.add("f" + i + "." + k);
      }
      List<String> after =
          i > 0 && random.nextInt(5) == 0 ? List.of("t" + random.nextInt(i)) : List.of();
      tasks.add(
          new Task(
              "t" + i,
              "type",
              List.of("true"),
              List.copyOf(inputs),
              outputs,
              after,
              random.nextInt(10),
              declared(needs.get(random.nextInt(needs.size())))));
      made.addAll(outputs);
    }
    return of(tasks);
  }
}
