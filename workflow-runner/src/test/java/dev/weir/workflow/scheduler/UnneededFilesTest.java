package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.scheduler.TaskState.Status;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Conditions under which a file is still needed. */
class UnneededFilesTest {

  private static final WorkerState WORKER =
      new WorkerState(new WorkerInfo("w1", "n1", "/r"), WorkerSize.ONE_TASK);

  /** An unneeded file, until a test changes its state. */
  private static final class Case {
    final FileState file = new FileState("f", 10);
    final TaskState maker =
        Graphs.state(task("a", List.of(), List.of("f")), List.of(), List.of(file), 1);
    final TaskState first = reader("b");
    final TaskState second = reader("c");

    Case() {
      file.producer = maker;
      file.temporary = true;
      file.stored(10, Map.of("n1", 10L), List.of(), 1_000);
      Stream.of(maker, first, second).forEach(task -> task.status = Status.DONE);
    }

    private TaskState reader(String id) {
      TaskState reader =
          Graphs.state(task(id, List.of("f"), List.of()), List.of(file), List.of(), 1);
      file.readBy(reader);
      return reader;
    }
  }

  @Test
  void aFileWhoseReadersAreAllDoneIsUnneeded() {
    Case one = new Case();

    assertThat(UnneededFiles.isUnneeded(one.file)).isTrue();
    assertThat(UnneededFiles.isUnneeded(one.file)).as("looked at again").isTrue();
  }

  private static Arguments but(String why, Consumer<Case> change) {
    return Arguments.of(why, change);
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        but("nobody has said that it is temporary", at -> at.file.temporary = false),
        but("it is not there", at -> at.file.lost()),
        but("it was let go", at -> at.file.release()),
        but("no attempt of this run has made it", at -> at.file.stored(10, Map.of(), List.of(), 0)),
        but("it is an input of the workflow", at -> at.file.producer = null),
        but("it is a result: no task reads it", at -> at.file.readers = List.of()),
        but("its maker is not done", at -> at.maker.status = Status.WAITING),
        but("its maker runs once more", at -> at.maker.worker = WORKER),
        but(
            "a copy of its maker goes on",
            at -> at.maker.secondCopy = new AttemptRef(WORKER, 2, 1, 1, true)),
        but("the first reader waits", at -> at.first.status = Status.WAITING),
        but("the last reader waits", at -> at.second.status = Status.WAITING),
        but("a reader is ready", at -> at.second.status = Status.READY),
        but("a reader runs", at -> at.first.status = Status.ASSIGNED),
        but("a reader may be tried again", at -> at.second.status = Status.DROPPED),
        but(
            "a copy of a reader goes on",
            at -> at.first.secondCopy = new AttemptRef(WORKER, 2, 1, 1, false)),
        but(
            "a copy of a reader stops",
            at -> at.first.secondCopy = new AttemptRef(WORKER, 2, 1, 1, true)),
        but("somebody has a reader", at -> at.second.worker = WORKER));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aFileIsNeededWhen(String why, Consumer<Case> change) {
    Case one = new Case();

    change.accept(one);

    assertThat(UnneededFiles.isUnneeded(one.file)).as(why).isFalse();
  }

  @Test
  void manyReadersAreCheckedOnceEach() {
    Case one = new Case();
    one.first.status = Status.ASSIGNED;
    assertThat(UnneededFiles.isUnneeded(one.file)).isFalse();
    one.second.status = Status.WAITING;
    one.first.status = Status.DONE;
    assertThat(UnneededFiles.isUnneeded(one.file)).isFalse();
    one.second.status = Status.DONE;
    one.first.status = Status.WAITING;
    assertThat(UnneededFiles.isUnneeded(one.file))
        .as("one that was done is not any more")
        .isFalse();
    one.first.status = Status.DONE;

    assertThat(UnneededFiles.isUnneeded(one.file)).isTrue();
  }
}
