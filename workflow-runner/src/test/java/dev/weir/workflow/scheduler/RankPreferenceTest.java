package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a task of higher rank goes before one with more local bytes. */
class RankPreferenceTest {

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
          new Dispatcher(
              new Workflow("test", tasks, files),
              AssignmentPolicy.DATA_AWARE,
              new Limits(3, 4),
              size);
      dispatcher.locate("here", Map.of("n1", lastBytes));
      dispatcher.locate("there", Map.of("n2", longBytes));
      if (more.length > 0) {
        dispatcher.locate("short", Map.of("n1", MB));
      }
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
        .as("the task with a short way would read for a second")
        .containsExactly("last");
    assertThat(new Case(10, MB, 100 * MB).givenTo(ALONE))
        .as("the task with a long way would")
        .containsExactly("last");
    assertThat(new Case(0.1, MB, MB).givenTo(ALONE)).containsExactly("last");
  }

  @Test
  void bytesGoFirstWhenRunTimesAreUnknown() {
    assertThat(new Case(0, 1_000, 1_000).givenTo(ALONE)).containsExactly("last");
  }

  @Test
  void bytesGoFirstAmongTasksWithoutFollowers() {
    assertThat(new Case(10, MB, 2 * MB, 0).givenTo(ALONE)).containsExactly("last");
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

  @Test
  void aBusyWorkerGetsNoTaskOfHigherRankAhead() {
    Task first = new Task("first", "first", List.of("true"), List.of("short"), List.of(), 1_000);
    Dispatcher dispatcher = new Case(10, MB, MB).dispatcher(ONE_AHEAD, first);

    assertThat(assigned(dispatcher.workerJoined(new WorkerInfo("w1", "n1", "/r"), NOW)))
        .containsExactly("first", "last");
  }

  /**
   * A worker's choice between two local tasks, of which the second has followers.
   *
   * @param seconds declared run time of each; 0 when not known
   * @param lastBytes input size of the first
   * @param elsewhere how many bytes of the second's input another node has
   */
  private static List<String> chosen(double seconds, long lastBytes, long elsewhere) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("made", new DataFile("made", lastBytes));
    files.put("next", new DataFile("next", elsewhere));
    List<Task> tasks = new ArrayList<>();
    tasks.add(new Task("last", "a", List.of("x"), List.of("made"), List.of(), seconds));
    tasks.add(new Task("first", "b", List.of("x"), List.of("next"), List.of(), seconds));
    String before = "first";
    for (String id : List.of("second", "third", "fourth")) {
      tasks.add(new Task(id, id, List.of("x"), List.of(), List.of(), List.of(before), seconds));
      before = id;
    }
    Dispatcher dispatcher =
        new Dispatcher(
            new Workflow("test", tasks, files),
            AssignmentPolicy.DATA_AWARE,
            new Limits(3, 4),
            ALONE);
    dispatcher.locate("made", Map.of("n1", lastBytes));
    dispatcher.locate("next", Map.of("n1", 100 * MB, "n2", elsewhere));
    dispatcher.start(NOW);
    return assigned(dispatcher.workerJoined(new WorkerInfo("w1", "n1", "/r"), NOW));
  }

  @Test
  void ofLocalTasksTheHighestRankGoesFirst() {
    assertThat(chosen(10, 200 * MB, 100 * MB)).containsExactly("first");
    assertThat(chosen(0, 200 * MB, 100 * MB)).as("also of unknown ones").containsExactly("first");
  }

  @Test
  void notWhenAnotherNodeHasMoreBytes() {
    assertThat(chosen(10, 200 * MB, 101 * MB)).containsExactly("last");
  }

  @Test
  void notWhenTheOtherTaskIsVeryExpensiveToMove() {
    // Two seconds of reading at the assumed rate, of 0.7 and 0.6 s.
    assertThat(chosen(0.7, 200 * MB, 100 * MB)).containsExactly("first");
    assertThat(chosen(0.6, 200 * MB, 100 * MB)).containsExactly("last");
    assertThat(chosen(0, 301 * MB, 100 * MB)).as("an unknown one takes a second").contains("last");
    assertThat(chosen(0, 299 * MB, 100 * MB)).containsExactly("first");
  }
}
