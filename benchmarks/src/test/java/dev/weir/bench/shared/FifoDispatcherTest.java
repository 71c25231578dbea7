package dev.weir.bench.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FifoDispatcherTest {
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

  /** Two tasks that write a file each, one that reads both, and one that depends on nothing. */
  private static final Workflow DIAMOND =
      workflow(
          task("left", List.of()),
          task("right", List.of()),
          task("join", List.of("left.txt", "right.txt")),
          task("alone", List.of()));

  private final List<String> begun = Collections.synchronizedList(new ArrayList<>());

  private static Task task(String id, List<String> inputs) {
    return new Task(id, "t", List.of(), inputs, List.of(id + ".txt"), 0);
  }

  private static Workflow workflow(Task... tasks) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (Task task : tasks) {
      task.outputs().forEach(output -> files.put(output, new DataFile(output, 10)));
    }
    return new Workflow("w", List.of(tasks), files);
  }

  /** Runs a task's process. */
  private interface FakeProcess {
    long run(Task task) throws IOException, InterruptedException;
  }

  private FifoDispatcher.Slot slot(String node, FakeProcess process) {
    return new FifoDispatcher.Slot() {
      @Override
      public String node() {
        return node;
      }

      @Override
      public FifoDispatcher.Transfers run(Task task) throws IOException, InterruptedException {
        begun.add(task.id());
        return FifoDispatcher.Transfers.ofMount(process.run(task));
      }
    };
  }

  @Test
  void oneSlotRunsTasksInTheOrderInWhichTheyBecomeReady() throws Exception {
    List<FifoDispatcher.Execution> done =
        new FifoDispatcher(DIAMOND, CLOCK).run(List.of(slot("n1", task -> 7)));

    assertThat(begun).containsExactly("left", "right", "alone", "join");
    assertThat(done)
        .extracting(execution -> execution.task().id())
        .containsExactly("left", "right", "alone", "join");
    assertThat(done)
        .allSatisfy(
            execution -> {
              assertThat(execution.node()).isEqualTo("n1");
              assertThat(execution.transfers().remoteBytes()).isEqualTo(7);
            });
  }

  @Test
  void slotsRunAtTheSameTimeAndNoTaskRunsBeforeItsInputsExist() throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    Set<String> ended = ConcurrentHashMap.newKeySet();
    FakeProcess process =
        task -> {
          for (String input : task.inputs()) {
            assertThat(ended).contains(input.replace(".txt", ""));
          }
          if (task.id().equals("left") || task.id().equals("right")) {
            awaitOther(both);
          }
          ended.add(task.id());
          return 0;
        };

    List<FifoDispatcher.Execution> done =
        new FifoDispatcher(DIAMOND, CLOCK).run(List.of(slot("n1", process), slot("n2", process)));

    assertThat(done).hasSize(4);
    assertThat(begun).doesNotHaveDuplicates();
  }

  private static void awaitOther(CyclicBarrier both) throws InterruptedException, IOException {
    try {
      both.await();
    } catch (BrokenBarrierException e) {
      throw new IOException(e);
    }
  }

  @Test
  void failureStopsFurtherTasks() {
    FifoDispatcher.Slot failing =
        slot(
            "n1",
            task -> {
              throw new IOException("Task " + task.id() + " ended with exit code 1");
            });

    assertThatIOException()
        .isThrownBy(() -> new FifoDispatcher(DIAMOND, CLOCK).run(List.of(failing)))
        .withMessage("Task left ended with exit code 1");
    assertThat(begun).containsExactly("left");
  }
}
