package dev.weir.workflow.reuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.DispatchRecord.TakenOver;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReusableTasksTest {
  private static final String DATA = "/data";
  private static final CommandContext ENVIRONMENT =
      new CommandContext(Map.of("KEY", "value"), Map.of(), false);

  /** The files in HDFS: content by file id, and stamps that change with it. */
  private final Map<String, Long> contents = new HashMap<>();

  private final Map<String, FileVersion> stamps = new HashMap<>();
  private final List<String> summed = new ArrayList<>();
  private long writes;

  /** in → a → fa → b → fb, and fa → c → fc. */
  private Workflow workflow = workflow("a", "b", "c");

  private static Workflow workflow(String commandOfA, String commandOfB, String commandOfC) {
    return of(
        task("a", commandOfA, List.of("in"), List.of("fa")),
        task("b", commandOfB, List.of("fa"), List.of("fb")),
        task("c", commandOfC, List.of("fa"), List.of("fc")));
  }

  private static Workflow of(Task... tasks) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (Task task : tasks) {
      task.inputs().forEach(file -> files.put(file, new DataFile(file, 7)));
      task.outputs().forEach(file -> files.put(file, new DataFile(file, 7)));
    }
    return new Workflow("test", List.of(tasks), files);
  }

  private static Task task(String id, String command, List<String> inputs, List<String> outputs) {
    return new Task(id, "type-" + id, List.of("run", command), inputs, outputs, 1);
  }

  private void write(String file, long content) {
    contents.put(file, content);
    stamps.put(file, new FileVersion(++writes, writes));
  }

  private FileRecord record(String file) {
    return new FileRecord(file, 7, contents.getOrDefault(file, -1L));
  }

  @BeforeEach
  void writeInput() {
    write("in", 1);
  }

  /** Runs all tasks and returns the stored list. */
  private String allTasksDone() throws IOException {
    write("fa", 10);
    write("fb", 11);
    write("fc", 12);
    DoneRunBuilder done = new DoneRunBuilder("run1", DATA, workflow, ENVIRONMENT);
    done.succeeded("a", 1, List.of(record("in")), List.of(record("fa")));
    done.succeeded("b", 2, List.of(record("fa")), List.of(record("fb")));
    done.succeeded("c", 1, List.of(record("fa")), List.of(record("fc")));
    return text(done);
  }

  private String text(DoneRunBuilder done) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    done.write(out, file -> stamps.get(file.file()));
    return out.toString(StandardCharsets.UTF_8);
  }

  private ReusableTasks.Found found(String stored, String rerun) throws Exception {
    return found(
        stored, new ReusableTasks.Query(workflow, DATA, ENVIRONMENT, RerunChoice.parse(rerun)));
  }

  private ReusableTasks.Found found(String stored, ReusableTasks.Query query) throws Exception {
    DoneTaskIndex index = new DoneTaskIndex(query.workflow());
    index.add(new BufferedReader(new StringReader(stored)), "test");
    Map<String, PresentFile> present = new HashMap<>();
    contents
        .keySet()
        .forEach(file -> present.put(file, new PresentFile(7, stamps.get(file), Map.of("n1", 7L))));
    return new ReusableTasks(query, index, present, this::sums).find();
  }

  private Map<String, Long> sums(Collection<String> files) {
    summed.addAll(files);
    Map<String, Long> sums = new HashMap<>(contents);
    sums.keySet().retainAll(files);
    return sums;
  }

  private static List<String> tasks(ReusableTasks.Found found) {
    return found.tasks().stream().map(TakenOver::task).toList();
  }

  @Test
  void unchangedTasksAreReusedWithoutChecksums() throws Exception {
    ReusableTasks.Found found = found(allTasksDone(), "none");

    assertThat(tasks(found)).containsExactly("a", "b", "c");
    assertThat(found.tasks().get(0))
        .isEqualTo(
            new TakenOver(
                "a", "run1", true, List.of(new StoredFile("fa", 7, Map.of("n1", 7L), 10))));
    assertThat(summed).isEmpty();
  }

  @Test
  void rewrittenInputWithSameContentIsUnchanged() throws Exception {
    String stored = allTasksDone();
    write("in", 1);

    assertThat(tasks(found(stored, "none"))).containsExactly("a", "b", "c");
    assertThat(summed).containsExactly("in");
  }

  @Test
  void changedEnvironmentInvalidatesAllTasks() throws Exception {
    String stored = allTasksDone();
    for (Map<String, String> other :
        List.of(
            Map.<String, String>of(),
            Map.of("KEY", "other"),
            Map.of("KEY", "value", "TOOL_VERSION", "2"))) {
      ReusableTasks.Query query =
          new ReusableTasks.Query(
              workflow,
              DATA,
              new CommandContext(other, Map.of(), false),
              RerunChoice.parse("none"));
      assertThat(tasks(found(stored, query))).as("%s", other).isEmpty();
    }
  }

  @Test
  void changedInputInvalidatesAllDependentTasks() throws Exception {
    String stored = allTasksDone();
    write("in", 2);

    assertThat(tasks(found(stored, "none"))).isEmpty();
  }

  @Test
  void changedCommandInvalidatesTheTask() throws Exception {
    String stored = allTasksDone();
    workflow = workflow("a", "other", "c");

    assertThat(tasks(found(stored, "none"))).containsExactly("a", "c");
  }

  @Test
  void tasksAfterARunTaskAreRun() throws Exception {
    String stored = allTasksDone();
    workflow = workflow("other", "b", "c");

    assertThat(tasks(found(stored, "none"))).isEmpty();
  }

  @Test
  void changedVariableInvalidatesTheTask() throws Exception {
    String stored = allTasksDone();
    ReusableTasks.Query query =
        new ReusableTasks.Query(
            workflow,
            DATA,
            new CommandContext(Map.of("KEY", "v"), Map.of(), false),
            RerunChoice.parse("none"));

    assertThat(tasks(found(stored, query))).isEmpty();
  }

  @Test
  void missingResultIsWrittenAgain() throws Exception {
    String stored = allTasksDone();
    contents.remove("fb");

    assertThat(tasks(found(stored, "none"))).containsExactly("a", "c");
  }

  @Test
  void missingTemporaryFileThatNoTaskReadsIsNotWrittenAgain() throws Exception {
    Map<String, DataFile> files = new LinkedHashMap<>(workflow.files());
    files.put("fb", new DataFile("fb", 7, "temporary"));
    workflow = new Workflow("test", workflow.tasks(), files);
    String stored = allTasksDone();
    contents.remove("fb");

    assertThat(tasks(found(stored, "none"))).containsExactly("a", "b", "c");
  }

  @Test
  void missingIntermediateFileMattersOnlyIfNeeded() throws Exception {
    String stored = allTasksDone();
    contents.remove("fa");

    ReusableTasks.Found all = found(stored, "none");
    assertThat(tasks(all)).containsExactly("a", "b", "c");
    assertThat(all.tasks().get(0).outputs()).containsExactly(new StoredFile("fa", 7, Map.of(), 10));

    assertThat(tasks(found(stored, "c"))).containsExactly("b");
  }

  @Test
  void changedOutputIsWrittenAgain() throws Exception {
    String stored = allTasksDone();
    write("fb", 99);
    write("fc", 12);

    assertThat(tasks(found(stored, "none"))).containsExactly("a", "c");
    assertThat(summed).containsExactlyInAnyOrder("fb", "fc");
  }

  @Test
  void rerunChoiceSelectsTasks() throws Exception {
    String stored = allTasksDone();

    assertThat(tasks(found(stored, "all"))).isEmpty();
    assertThat(tasks(found(stored, "failed"))).as("b needed two tries").containsExactly("a", "c");
    assertThat(tasks(found(stored, "type-c"))).containsExactly("a", "b");
    assertThat(tasks(found(stored, "a"))).isEmpty();
    assertThat(tasks(found(stored, "type-c, b"))).containsExactly("a");
    assertThatIllegalArgumentException().isThrownBy(() -> RerunChoice.parse(" "));
  }

  @Test
  void filesMustBeInTheDataDirectory() throws Exception {
    String stored = allTasksDone();
    ReusableTasks.Query query =
        new ReusableTasks.Query(workflow, "/other", ENVIRONMENT, RerunChoice.parse("none"));

    // The directory holds the same contents, so tasks done elsewhere match by checksum.
    assertThat(tasks(found(stored, query))).containsExactly("a", "b", "c");
    assertThat(summed).contains("in", "fb", "fc");

    contents.keySet().retainAll(List.of("in"));
    assertThat(tasks(found(stored, query))).isEmpty();
  }

  @Test
  void reusedTasksAreStoredWithTheReusingRun() throws Exception {
    ReusableTasks.Found first = found(allTasksDone(), "none");
    DoneRunBuilder second = new DoneRunBuilder("run2", DATA, workflow, ENVIRONMENT);
    first.inputs().forEach(second::input);
    first.tasks().forEach(second::reused);

    ReusableTasks.Found found = found(text(second), "none");

    assertThat(tasks(found)).containsExactly("a", "b", "c");
    assertThat(found.tasks()).allMatch(done -> done.run().equals("run2"));
    assertThat(tasks(found(text(second), "failed"))).containsExactly("a", "c");
  }

  @Test
  void tasksWithoutFilesAreIdentifiedByCommand() throws Exception {
    workflow = of(task("silent", "send mail", List.of(), List.of()));
    DoneRunBuilder done = new DoneRunBuilder("run1", DATA, workflow, ENVIRONMENT);
    done.succeeded("silent", 1, List.of(), List.of());

    assertThat(tasks(found(text(done), "none"))).containsExactly("silent");
  }

  @Test
  void tasksWithoutChecksumsAreNotStored() {
    DoneRunBuilder done = new DoneRunBuilder("run1", DATA, workflow, ENVIRONMENT);
    done.succeeded("a", 1, List.of(record("in")), List.of(new FileRecord("fa", 7, -1)));
    done.succeeded("b", 1, List.of(new FileRecord("fa", 7, -1)), List.of(record("in")));

    assertThat(done.isEmpty()).isTrue();
  }

  @Test
  void truncatedListIsReadUpToItsEnd() throws Exception {
    String stored = allTasksDone();
    String cut = stored.substring(0, stored.length() - 10);

    assertThat(tasks(found(cut, "none"))).containsExactly("a", "b");
    assertThat(tasks(found("", "none"))).isEmpty();
  }

  /** in → a → fa → b → fb → d → end, and in → c → fc. */
  private static Workflow chain(String commandOfD) {
    return of(
        task("a", "a", List.of("in"), List.of("fa")),
        task("b", "b", List.of("fa"), List.of("fb")),
        task("c", "c", List.of("in"), List.of("fc")),
        task("d", commandOfD, List.of("fb"), List.of("end")));
  }

  /** Runs the chain and deletes its intermediate files. */
  private String chainDone() throws IOException {
    workflow = chain("d");
    write("fa", 10);
    write("fb", 11);
    write("fc", 12);
    write("end", 13);
    DoneRunBuilder done = new DoneRunBuilder("run1", DATA, workflow, ENVIRONMENT);
    done.succeeded("a", 1, List.of(record("in")), List.of(record("fa")));
    done.succeeded("b", 1, List.of(record("fa")), List.of(record("fb")));
    done.succeeded("c", 1, List.of(record("in")), List.of(record("fc")));
    done.succeeded("d", 1, List.of(record("fb")), List.of(record("end")));
    contents.keySet().removeAll(List.of("fa", "fb"));
    stamps.keySet().removeAll(List.of("fa", "fb"));
    return text(done);
  }

  @Test
  void chainWithOnlyItsResultsIsReused() throws Exception {
    ReusableTasks.Found found = found(chainDone(), "none");

    assertThat(tasks(found)).containsExactlyInAnyOrder("a", "b", "c", "d");
    assertThat(summed).isEmpty();
    DoneRunBuilder second = new DoneRunBuilder("run2", DATA, workflow, ENVIRONMENT);
    found.inputs().forEach(second::input);
    found.tasks().forEach(second::reused);
    assertThat(tasks(found(text(second), "none"))).as("nor the third time").hasSize(4);
  }

  @Test
  void changedLastTaskRerunsItsChain() throws Exception {
    String stored = chainDone();
    workflow = chain("other");

    assertThat(tasks(found(stored, "none"))).containsExactly("c");
  }
}
