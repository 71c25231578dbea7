package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which task a worker gets: rank against the reading that its node saves. */
class TaskScoreTest {

  private static final long MB = 1_000_000;
  private static final long NOW = 1_000;
  private static final WorkerSize ALONE = WorkerSize.ONE_TASK;
  private static final WorkerSize ONE_AHEAD = new WorkerSize(1, Long.MAX_VALUE, 1);

  /**
   * A task without followers whose input is on the worker's node, and a task with followers whose
   * input is elsewhere.
   *
   * @param seconds declared run time of each task; 0 when not known
   * @param lastBytes size of the input on the worker's node
   * @param longBytes size of the input elsewhere
   * @param followers length of the chain after the task of higher rank
   */
  private record Case(double seconds, long lastBytes, long longBytes, int followers) {

    Case(double seconds, long lastBytes, long longBytes) {
      this(seconds, lastBytes, longBytes, 1);
    }

    Dispatcher dispatcher(WorkerSize size, Task... more) {
      Map<String, DataFile> files = new LinkedHashMap<>();
      files.put("here", new DataFile("here", lastBytes));
      files.put("there", new DataFile("there", longBytes));
      files.put("short", new DataFile("short", MB));
      List<Task> tasks = new ArrayList<>(List.of(more));
      tasks.add(task("last", List.of("here"), List.of()));
      tasks.add(task("long", List.of("there"), List.of()));
      for (int i = 0; i < followers; i++) {
        tasks.add(task("follower" + i, List.of(), List.of(i == 0 ? "long" : "follower" + (i - 1))));
      }
      Dispatcher dispatcher =
          Dispatchers.of(
              new Workflow("test", tasks, files),
              AssignmentPolicy.DATA_AWARE,
              new Limits(3, 4),
              size);
      dispatcher.locate("here", Map.of("n1", lastBytes));
      dispatcher.locate("there", Map.of("n2", longBytes));
      if (more.length > 0) {
        dispatcher.locate("short", Map.of("n1", MB));
      }
      dispatcher.expect(2);
      dispatcher.start(NOW);
      return dispatcher;
    }

    private Task task(String id, List<String> inputs, List<String> after) {
      return new Task(id, "type", List.of("true"), inputs, List.of(), after, seconds);
    }

    /** The tasks that a worker on n1 gets, in that order. */
    List<String> givenTo(WorkerSize size) {
      Dispatcher dispatcher = dispatcher(size);
      return assigned(dispatcher.workerJoined(new WorkerInfo("w1", "n1", "/r"), NOW));
    }
  }

  private static List<String> assigned(Step step) {
    return starts(step).stream().map(Effect.Start::task).toList();
  }

  @Test
  void theHigherRankGoesFirstWhenBytesSaveLittle() {
    // 10 ms of reading at the assumed rate, of 10 s.
    assertThat(new Case(10, MB, MB).givenTo(ALONE)).containsExactly("long");
    assertThat(new Case(10, MB, MB).givenTo(ONE_AHEAD)).containsExactly("long", "last");
  }

  @Test
  void bytesGoFirstWhenTheySaveMore() {
    assertThat(new Case(10, 100 * MB, MB).givenTo(ALONE))
        .as("'last' would read for a second elsewhere")
        .containsExactly("last");
    assertThat(new Case(10, MB, 100 * MB).givenTo(ALONE))
        .as("'long' would read for a second here")
        .containsExactly("last");
    assertThat(new Case(0.1, MB, MB).givenTo(ALONE)).containsExactly("last");
  }

  @Test
  void ofTasksOfHighRankALocalOneIsTaken() {
    Task mine = new Case(10, 0, 0).task("mine", List.of("short"), List.of());
    Task follower = new Case(10, 0, 0).task("its", List.of(), List.of("mine"));
    Dispatcher dispatcher = new Case(10, 2 * MB, MB).dispatcher(ALONE, mine, follower);

    assertThat(assigned(dispatcher.workerJoined(new WorkerInfo("w1", "n1", "/r"), NOW)))
        .as("the one with the most bytes there is the last one")
        .containsExactly("mine");
  }

  /** The worker's choice between two equal tasks, of which the second has a replica elsewhere. */
  @Test
  void aTaskThatAnotherNodeCouldReadYields() {
    Task more = new Case(10, 0, 0).task("only", List.of("short"), List.of());
    Dispatcher dispatcher = new Case(10, MB, MB, 0).dispatcher(ALONE, more);
    dispatcher.locate("here", Map.of("n1", MB, "n2", MB));

    assertThat(assigned(dispatcher.workerJoined(new WorkerInfo("w1", "n1", "/r"), NOW)))
        .containsExactly("only");
  }

  @Test
  void bytesOnNodesWithoutWorkersCountNowhere() {
    Dispatcher dispatcher = new Case(10, MB, 100 * MB).dispatcher(ALONE);
    dispatcher.expect(1);

    assertThat(assigned(dispatcher.workerJoined(new WorkerInfo("w1", "n1", "/r"), NOW)))
        .containsExactly("long");
  }
}
