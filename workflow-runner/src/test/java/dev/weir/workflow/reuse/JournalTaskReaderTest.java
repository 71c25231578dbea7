package dev.weir.workflow.reuse;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.DispatchRecord.TakenOver;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Reads the tasks of a run from its journal and then from its plan. */
class JournalTaskReaderTest {

  private static final Task MAKE = task("make", List.of("in"), List.of("a", "b"));
  private static final Task USE = task("use", List.of("a"), List.of("c"));
  private static final Workflow WORKFLOW = workflow(MAKE, USE);

  private final DoneTaskIndex index = new DoneTaskIndex(WORKFLOW);
  private final JournalTaskReader reader = new JournalTaskReader(index, "run-1");

  private static Task task(String id, List<String> inputs, List<String> outputs) {
    return new Task(id, "type", List.of("run", id), inputs, outputs, 0);
  }

  private static Workflow workflow(Task... tasks) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (Task task : tasks) {
      task.inputs().forEach(id -> files.put(id, new DataFile(id, 1)));
      task.outputs().forEach(id -> files.put(id, new DataFile(id, 1)));
    }
    return new Workflow("w", List.of(tasks), files);
  }

  private static FileRecord file(String id, long crc32c) {
    return new FileRecord(id, 1, crc32c);
  }

  private void read(Task... tasks) {
    JournalTaskReader.Tasks all =
        reader.with(Map.of(), new CommandContext(Map.of(), Map.of(), false));
    for (Task task : tasks) {
      all.add(task);
    }
  }

  private @Nullable DoneTask known(Task task, FileRecord... inputs) {
    return index.task(
        new TaskKey(WORKFLOW.files(), new CommandContext(Map.of(), Map.of(), false))
            .of(task, List.of(inputs)));
  }

  @Test
  void identifiesTasksByTheirInputs() {
    reader.succeeded("make", 2, List.of(file("in", 1)), List.of(file("a", 2), file("b", 3)));
    read(MAKE);

    assertThat(known(MAKE, file("in", 1)))
        .extracting(DoneTask::run, DoneTask::firstTry, DoneTask::outputs)
        .containsExactly("run-1", false, List.of(file("a", 2), file("b", 3)));
    assertThat(known(MAKE, file("in", 9))).isNull();
    assertThat(index.mayKnow("in", 1)).isTrue();
  }

  @Test
  void secondAttemptMayWriteOnlyLostFiles() {
    reader.succeeded("make", 1, List.of(file("in", 1)), List.of(file("a", 2), file("b", 3)));
    reader.succeeded("make", 2, List.of(file("in", 1)), List.of(file("b", 4)));
    read(MAKE);

    assertThat(requireNonNull(known(MAKE, file("in", 1))).outputs())
        .containsExactly(file("a", 2), file("b", 4));
  }

  @Test
  void filesChangedLaterDoNotCountAsOutputs() {
    reader.succeeded("make", 1, List.of(file("in", 1)), List.of(file("a", 2), file("b", 3)));
    reader.succeeded("use", 1, List.of(file("a", 7)), List.of(file("c", 8)));
    read(MAKE, USE);

    assertThat(requireNonNull(known(MAKE, file("in", 1))).outputs()).contains(file("a", 2));
    assertThat(known(USE, file("a", 2))).isNull();
    assertThat(known(USE, file("a", 7))).isNotNull();
  }

  @Test
  void reusedTasksAreIdentifiedByTheirFormerOutputs() {
    reader.reused(reused("make", new StoredFile("a", 1, Map.of(), 2), stored("b")));
    reader.reused(reused("use", stored("c")));
    reader.succeeded("make", 1, List.of(file("in", 1)), List.of(file("a", 5), file("b", 3)));
    read(MAKE, USE);

    assertThat(known(USE, file("a", 2))).isNotNull();
    assertThat(known(USE, file("a", 5))).isNull();
    assertThat(requireNonNull(known(MAKE, file("in", 1))).outputs()).contains(file("a", 5));
  }

  private static StoredFile stored(String id) {
    return new StoredFile(id, 1, Map.of(), 3);
  }

  private static TakenOver reused(String task, StoredFile... outputs) {
    return new TakenOver(task, "run-0", true, List.of(outputs));
  }

  @Test
  void uselessTasksAreNotKept() {
    reader.succeeded("make", 1, List.of(file("in", 1)), List.of(file("x", 2)));
    reader.succeeded("use", 1, List.of(file("a", Checksum.UNKNOWN)), List.of(file("c", 2)));

    assertThat(reader.isEmpty()).isTrue();
  }

  @Test
  void tasksWithoutOutputsAreKeptOnlyIfInTheWorkflow() {
    reader.succeeded("silent", 1, List.of(file("in", 1)), List.of());
    reader.reused(reused("silent too"));

    assertThat(reader.isEmpty()).isTrue();

    JournalTaskReader wanted =
        new JournalTaskReader(
            new DoneTaskIndex(workflow(MAKE, task("silent", List.of("in"), List.of()))), "run-1");
    wanted.succeeded("silent", 1, List.of(file("in", 1)), List.of());
    assertThat(wanted.isEmpty()).isFalse();
  }

  @Test
  void tasksThatDifferFromThePlanAreIgnored() {
    reader.succeeded("make", 1, List.of(file("in", 1)), List.of(file("a", 2), file("b", 3)));
    read(task("make", List.of("in", "other"), List.of("a", "b")));

    assertThat(index.isEmpty()).isTrue();
  }
}
