package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.StoredFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class UpcomingTasksTest {

  private static final long GIB = 1L << 30;
  private static final long NOW = 1_000;

  /** A task that will read available files and one that a running task makes. */
  private static WorkflowState awaiting() {
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("there", new DataFile("there", 10 * GIB));
    files.put("coming", new DataFile("coming", GIB));
    List<Task> tasks =
        List.of(
            task("make", List.of(), List.of("coming")),
            task("join", List.of("there", "coming"), List.of()));
    return new WorkflowState(
        new Workflow("test", tasks, files),
        AssignmentPolicy.DATA_AWARE,
        WorkerSize.ONE_TASK,
        TaskProfiles.NONE);
  }

  private static UpcomingTasks upcomingTasks(WorkflowState graph, WorkerSet workers) {
    graph.allowCopyAhead(true);
    return new UpcomingTasks(workers, graph.caches());
  }

  /** Assigns each ready task to a worker of its own. */
  private static WorkerSet running(WorkflowState graph) {
    WorkerSet workers = new WorkerSet(WorkerSize.ONE_TASK);
    graph.start(NOW);
    int number = 0;
    for (TaskState ready : List.copyOf(graph.ready().all())) {
      String id = "w" + number++;
      workers.join(new WorkerInfo(id, "n" + id, "/r"), NOW);
      graph.begin(ready, NOW);
      Objects.requireNonNull(workers.get(id)).take(ready);
    }
    return workers;
  }

  private static CopyAheadPlanner.Input input(Map<String, Long> bytesByHost, long bytes) {
    WorkflowState graph = awaiting();
    graph.locate(new StoredFile("there", bytes, bytesByHost));
    List<CopyAheadPlanner.Upcoming> upcoming = upcomingTasks(graph, running(graph)).upcoming(NOW);
    assertThat(upcoming).hasSize(1);
    return upcoming.get(0).inputs().get(0);
  }

  @Test
  void theLengthOfAFileIsIndependentOfItsHosts() {
    Map<String, Long> spread = new HashMap<>();
    for (int host = 0; host < 100; host++) {
      spread.put("h" + host, GIB / 10 + (host == 7 ? GIB / 2 : 0));
    }

    CopyAheadPlanner.Input input = input(spread, 10 * GIB);

    assertThat(input.bytes()).isEqualTo(10 * GIB);
    assertThat(input.holders()).as("no host has all of it").isEmpty();
    assertThat(input.sources()).isEmpty();
  }

  @Test
  void hostsWithEveryByteAreSources() {
    CopyAheadPlanner.Input input = input(Map.of("h1", 3 * GIB, "h2", 3 * GIB, "h3", GIB), 3 * GIB);

    assertThat(input.bytes()).as("not what is declared").isEqualTo(3 * GIB);
    assertThat(input.sources()).containsExactlyInAnyOrder("h1", "h2");
  }

  /** As many running tasks as workers; for each, a waiting task with this many available inputs. */
  private static List<CopyAheadPlanner.Upcoming> upcoming(int workers, int inputs) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<Task> tasks = new ArrayList<>();
    List<String> there = new ArrayList<>();
    for (int i = 0; i < inputs; i++) {
      files.put("there" + i, new DataFile("there" + i, GIB));
      there.add("there" + i);
    }
    for (int i = 0; i < workers; i++) {
      files.put("f" + i, new DataFile("f" + i, GIB));
      tasks.add(task("make" + i, List.of(), List.of("f" + i)));
      List<String> read = new ArrayList<>(there);
      read.add("f" + i);
      tasks.add(task("read" + i, read, List.of()));
    }
    Workflow workflow = new Workflow("test", tasks, files);
    WorkflowState graph =
        new WorkflowState(
            workflow, AssignmentPolicy.DATA_AWARE, WorkerSize.ONE_TASK, TaskProfiles.NONE);
    WorkerSet workerSet = running(graph);
    assertThat(workerSet.size()).isEqualTo(workers);
    return upcomingTasks(graph, workerSet).upcoming(NOW);
  }

  @Test
  void theNumberOfTasksIsBounded() {
    assertThat(upcoming(100, 1)).hasSize(100);
    assertThat(upcoming(2_000, 1)).hasSize(UpcomingTasks.MOST);
  }

  @Test
  void theNumberOfInputsIsBounded() {
    assertThat(upcoming(4, UpcomingTasks.MOST_LOOKED_AT / 2)).hasSize(1);
    assertThat(upcoming(2, UpcomingTasks.MOST_LOOKED_AT)).isEmpty();
  }
}
