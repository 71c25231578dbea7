package dev.weir.workflow.scheduler.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.Graphs;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskQueueTest {

  private final CacheIndex caches = new CacheIndex(1);
  private final TaskQueue queue = new TaskQueue(AssignmentPolicy.DATA_AWARE, caches);
  private final TaskState task = readerOf("in", "n1");

  private static TaskState readerOf(String file, String host) {
    FileState input = new FileState(file, 7);
    input.stored(new StoredFile("f", 7, Map.of(host, 7L)), 0);
    Task task = new Task("t", "type", List.of("run"), List.of(file), List.of(), 1);
    return Graphs.state(task, List.of(input), List.of(), 1);
  }

  @Test
  void aTaskIsIndexedByHostWhileItIsInTheQueue() {
    queue.add(task);

    assertThat(queue.on("n1")).extracting(LocalTask::task).containsExactly(task);
    assertThat(task.hostEntries()).hasSize(1);

    queue.remove(task);

    assertThat(queue.hosts()).isEmpty();
    assertThat(task.hostEntries()).as("a second copy of it goes there").hasSize(1);
  }

  @Test
  void aTaskThatIsNotInTheQueueIsIgnored() {
    TaskQueue other = new TaskQueue(AssignmentPolicy.DATA_AWARE, caches);
    queue.add(task);

    other.remove(task);

    assertThat(task.hostEntries()).hasSize(1);
    assertThat(queue.on("n1")).hasSize(1);
  }
}
