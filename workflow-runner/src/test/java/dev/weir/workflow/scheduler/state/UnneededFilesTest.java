package dev.weir.workflow.scheduler.state;

import static dev.weir.workflow.scheduler.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.Graphs;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Conditions under which a file is still needed. */
class UnneededFilesTest {

  private static final WorkerState WORKER =
      new WorkerState(new WorkerInfo("w1", "n1", "/r"), WorkerSize.ONE_TASK, null);

  /** An unneeded file, until a test changes its state. */
  private static final class Case {
    final FileState file = new FileState("f", 10);
    final TaskState producer =
        Graphs.state(task("a", List.of(), List.of("f")), List.of(), List.of(file), 1);
    final TaskState first = reader("b");
    final TaskState second = reader("c");

    Case() {
      file.madeBy(producer);
      file.markTemporary();
      file.stored(new StoredFile("f", 10, Map.of("n1", 10L)), 1_000);
      Stream.of(producer, first, second).forEach(TaskState::complete);
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
    assertThat(UnneededFiles.isUnneeded(one.file)).as("checked again").isTrue();
  }

  @Test
  void aTemporaryFileThatNoTaskReadsIsUnneeded() {
    Case one = new Case();
    one.file.forgetTasks(Set.of(one.first, one.second));

    assertThat(UnneededFiles.isUnneeded(one.file)).isTrue();
  }

  private static Arguments when(String why, Consumer<Case> change) {
    return Arguments.of(why, change);
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        when("it is not temporary", at -> at.file.keep()),
        when("it is not in HDFS", at -> at.file.lost()),
        when("it was released", at -> at.file.release()),
        when(
            "no attempt of this run made it",
            at -> at.file.stored(new StoredFile("f", 10, Map.of()), 0)),
        when("it is an input of the workflow", at -> at.file.forgetTasks(Set.of(at.producer))),
        when("its producer is not done", at -> at.producer.becomeWaiting()),
        when("its producer runs again", at -> at.producer.assignTo(WORKER)),
        when(
            "a second attempt of its producer runs",
            at -> at.producer.restoreSecondCopy(new AttemptRef(WORKER, 2, 1, 1, true))),
        when("the first reader waits", at -> at.first.becomeWaiting()),
        when("the last reader waits", at -> at.second.becomeWaiting()),
        when("a reader is ready", at -> at.second.becomeReady(1)),
        when("a reader runs", at -> at.first.startAttempt(1)),
        when("a reader may be retried", at -> at.second.drop()),
        when("a second attempt of a reader runs", at -> at.first.startSecondCopy(WORKER, 1)),
        when(
            "a second attempt of a reader is being stopped",
            at -> at.first.restoreSecondCopy(new AttemptRef(WORKER, 2, 1, 1, true))),
        when("a worker has a reader", at -> at.second.assignTo(WORKER)));
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
    one.first.startAttempt(1);
    assertThat(UnneededFiles.isUnneeded(one.file)).isFalse();
    one.second.becomeWaiting();
    one.first.complete();
    assertThat(UnneededFiles.isUnneeded(one.file)).isFalse();
    one.second.complete();
    one.first.becomeWaiting();
    assertThat(UnneededFiles.isUnneeded(one.file))
        .as("one that was done is not any more")
        .isFalse();
    one.first.complete();

    assertThat(UnneededFiles.isUnneeded(one.file)).isTrue();
  }
}
