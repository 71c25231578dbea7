package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Additions.plain;
import static dev.weir.workflow.scheduler.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tasks that can never start because a task before them is dropped are dropped, too. */
class StrandedTasksTest extends DispatcherFixture {

  /** Room for all tasks at once. */
  private static final WorkerSize SIZE = new WorkerSize(4, Long.MAX_VALUE, 0);

  private final Map<String, Effect.Start> running = new HashMap<>();

  private List<Effect> take(Step step) {
    List<Effect> effects = effects(step);
    Starts.starts(effects).forEach(start -> running.put(start.task(), start));
    return effects;
  }

  private Dispatcher begun(Task... tasks) {
    Dispatcher dispatcher = Dispatchers.of(Graphs.of(tasks), AssignmentPolicy.FIFO, LIMITS, SIZE);
    take(dispatcher.start(now));
    take(dispatcher.workerJoined(ON_N1, now));
    return dispatcher;
  }

  private static Task after(String before, String id, List<String> outputs) {
    return new Task(id, "type", List.of("true"), List.of(), outputs, List.of(before), 1);
  }

  private Effect.Start ended(String task) {
    return Objects.requireNonNull(running.remove(task), task);
  }

  private void succeeds(Dispatcher dispatcher, String... tasks) {
    for (String task : tasks) {
      take(dispatcher.reported("w1", Reports.succeeded(ended(task), "n1", 9), now));
    }
  }

  private List<Effect> loses(Dispatcher dispatcher, String reader, String file) {
    return take(dispatcher.reported("w1", Reports.inputLost(ended(reader), file), now));
  }

  private void cancel(Dispatcher dispatcher, String task) {
    take(dispatcher.steer("", "cancel", Steering.of(Action.CANCEL, task), now));
    Effect.Start stopped = running.remove(task);
    if (stopped != null) {
      take(dispatcher.reported("w1", TaskReport.stopped(task, stopped.attempt()), now));
    }
  }

  @Test
  void aLostFileDropsItsProducerAfterADroppedTask() {
    Dispatcher dispatcher =
        begun(
            task("x", List.of(), List.of("fx")),
            after("x", "later", List.of("fl")),
            task("readsX", List.of("fx"), List.of()),
            task("readsLater", List.of("fl"), List.of()));
    succeeds(dispatcher, "x", "later");
    assertThat(loses(dispatcher, "readsX", "fx")).as("x runs once more").hasSize(1);
    cancel(dispatcher, "x");

    List<Effect> effects = loses(dispatcher, "readsLater", "fl");

    assertThat(dispatcher.details("").dropped()).isEqualTo(4);
    assertThat(effects).containsExactly(new Effect.Check("", List.of()));
  }

  @Test
  void aLostFileOfADroppedTaskDropsItsReaders() {
    Dispatcher dispatcher =
        begun(
            task("p", List.of(), List.of("o1", "o2")),
            task("r", List.of("o1"), List.of("fr")),
            task("q", List.of("o2"), List.of()),
            task("s", List.of("fr"), List.of()));
    succeeds(dispatcher, "p", "r");
    assertThat(loses(dispatcher, "q", "o2")).as("p runs once more").hasSize(1);
    cancel(dispatcher, "p");
    loses(dispatcher, "s", "fr");

    List<Effect> effects = loses(dispatcher, "r", "o1");

    assertThat(dispatcher.details("").dropped()).isEqualTo(4);
    assertThat(effects).containsExactly(new Effect.Check("", List.of()));
  }

  @Test
  void aJobAfterADroppedOneIsRefused() {
    Dispatcher dispatcher = Dispatchers.of(AssignmentPolicy.FIFO, LIMITS, SIZE);
    effects(dispatcher.start(now));
    effects(dispatcher.add(plain(task("a", List.of(), List.of())), now));
    effects(dispatcher.cancel("a", now));

    assertThat(dispatcher.refusal(plain(after("a", "b", List.of()))))
        .hasValue("the task 'a' that must be done before it was dropped");
  }
}
