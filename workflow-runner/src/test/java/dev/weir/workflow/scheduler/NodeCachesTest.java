package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.scheduler.state.LocalTask;
import dev.weir.workflow.scheduler.state.TaskQueue;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When tasks are reindexed, which creates new entries. */
class NodeCachesTest {

  private static final long SIZE = 1_000_000;

  private WorkflowState graph;
  private NodeCaches nodeCaches;
  private TaskState reader;

  /** A task that reads x and y; n9 has y. */
  @BeforeEach
  void begin() {
    Workflow workflow =
        new Workflow(
            "test",
            List.of(task("reader", List.of("x", "y"), List.of())),
            Map.of("x", new DataFile("x", SIZE), "y", new DataFile("y", SIZE)));
    graph = Graphs.state(workflow, WorkerSize.ONE_TASK, TaskProfiles.NONE);
    graph.locate(new StoredFile("y", SIZE, Map.of("n9", SIZE)));
    graph.start(0);
    reader = graph.task("reader");
    nodeCaches = new NodeCaches(Graphs.session(graph));
  }

  private void keeps(int node) {
    nodeCaches.update("k" + node, Map.of("x", SIZE), List.of());
  }

  private void drops(int node) {
    nodeCaches.update("k" + node, Map.of(), List.of("x"));
  }

  private List<String> listed() {
    return reader.hostEntries().stream().map(LocalTask::host).toList();
  }

  @Test
  void reportsOfManyWorkersOfANodeReindexTasksOnce() {
    keeps(1);
    assertThat(listed()).containsExactlyInAnyOrder("k1", "n9");
    List<LocalTask> places = reader.hostEntries();

    keeps(1);
    assertThat(reader.hostEntries()).isSameAs(places);
    drops(2);
    assertThat(reader.hostEntries()).isSameAs(places);

    drops(1);
    assertThat(listed()).containsExactly("n9");
    places = reader.hostEntries();
    drops(1);
    assertThat(reader.hostEntries()).isSameAs(places);
  }

  @Test
  void aFileOnVeryManyNodesReindexesNoTask() {
    for (int node = 0; node < TaskQueue.MOST_HOSTS; node++) {
      keeps(node);
    }
    assertThat(listed()).anyMatch(host -> host.startsWith("k"));
    keeps(TaskQueue.MOST_HOSTS);
    assertThat(listed()).as("it is everywhere now").containsExactly("n9");
    List<LocalTask> places = reader.hostEntries();

    keeps(1_000);
    keeps(1_001);
    drops(1_000);
    assertThat(reader.hostEntries()).isSameAs(places);

    drops(1_001);
    drops(1);
    assertThat(listed()).as("it is not any more").anyMatch(host -> host.startsWith("k"));
  }
}
