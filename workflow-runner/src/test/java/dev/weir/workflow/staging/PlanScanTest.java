package dev.weir.workflow.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.run.OneNodeHdfs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PlanScanTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private static final RunPlan PLAN = plan();

  private final Staging directory = new Staging(HDFS.fs(), new Path("/runs/one"));
  private final PlanScan scan = new PlanScan(directory);

  private static RunPlan plan() {
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("in", new DataFile("in", 1, "lazy"));
    for (String id : List.of("a", "b/c", "out")) {
      files.put(id, new DataFile(id, id.length()));
    }
    return new RunPlan(
        new Workflow(
            "w",
            List.of(
                new Task(
                    "t1", "t", List.of("run", "\u00e9t\u00e9"), List.of("in"), List.of("a"), 1),
                new Task(
                    "t2",
                    "t",
                    List.of(),
                    List.of("a"),
                    List.of("b/c"),
                    List.of("t1"),
                    0,
                    TaskNeeds.UNKNOWN),
                new Task("t3", "t", List.of("run"), List.of("in@0+1"), List.of("out"), 0)),
            files),
        Mode.WEIR,
        "hdfs://nn:8020",
        "/data",
        true,
        WorkerPlan.DEFAULT.withCount(1),
        Map.of("KEY", "value"),
        Map.of("dataDir", "/another"),
        "alice",
        RunOptions.DEFAULT,
        Map.of("n1", "/rack"));
  }

  @Test
  void tasksThatWereAddedAreRead() throws IOException {
    String requested =
        new AddedTasks(
                new Workflow(
                    "more",
                    List.of(new Task("t9", "t", List.of("run"), List.of("a"), List.of("new"), 0)),
                    Map.of("a", new DataFile("a", 1), "new", new DataFile("new", 2))))
            .write(directory, Clock.systemUTC());
    assertThat(AddedTasks.readPlan(directory)).as("without an answer").isEqualTo(PLAN);
    AddedTasks read = AddedTasks.read(directory, requested);
    assertThat(AddedTasks.readPlan(directory)).as("undecided").isEqualTo(PLAN);
    assertThat(AddedTasks.accept(directory, requested)).isTrue();
    assertThat(AddedTasks.accept(directory, requested)).as("after a restart").isFalse();
    assertThat(AddedTasks.read(directory, requested)).isEqualTo(read);
    List<String> tasks = new ArrayList<>();
    scan.tasks(task -> tasks.add(task.id()));
    assertThat(tasks).endsWith("t9").contains("t1");
    assertThat(scan.anyTask(task -> task.id().equals("t9"))).isTrue();
    assertThat(AddedTasks.readPlan(directory).workflow().tasks()).hasSize(tasks.size());
    directory.delete(directory.names("added-").get(0));
    assertThat(AddedTasks.readPlan(directory)).isEqualTo(PLAN);
  }

  @Test
  void onlyFilesWithTasksAreReadAndDeleted() throws IOException {
    directory.writeJson("adding-1.json", PLAN.dataDir());
    for (String name : List.of("adding-1.json", Staging.PLAN, "../x/adding-1.json")) {
      assertThatThrownBy(() -> AddedTasks.read(directory, name))
          .isInstanceOf(Staging.UnreadableException.class);
      AddedTasks.delete(directory, name);
    }
    assertThat(directory.names("adding-")).isEmpty();
    assertThat(AddedTasks.readPlan(directory)).isEqualTo(PLAN);
  }

  @BeforeEach
  void writePlan() throws IOException {
    HDFS.fs().mkdirs(directory.directory());
    directory.writeJson(Staging.PLAN, PLAN);
  }

  @Test
  void partsEqualThoseOfTheWholePlan() throws IOException {
    List<Task> tasks = new ArrayList<>();
    List<DataFile> files = new ArrayList<>();

    scan.tasks(tasks::add);
    scan.files(files::add);

    assertThat(tasks).isEqualTo(PLAN.workflow().tasks());
    assertThat(files).containsExactlyElementsOf(PLAN.workflow().files().values());
    assertThat(scan.head())
        .isEqualTo(new PlanScan.Head(PLAN.dataDir(), PLAN.standIn(), PLAN.environment()));
    assertThat(scan.head().path("b/c")).isEqualTo(PLAN.path("b/c"));
  }

  @Test
  void truncatedPlanIsReported() throws IOException {
    byte[] all = directory.readText(Staging.PLAN).getBytes(StandardCharsets.UTF_8);
    directory.write(Staging.PLAN, out -> out.write(all, 0, all.length / 2));

    assertThatThrownBy(scan::head)
        .isInstanceOf(Staging.UnreadableException.class)
        .hasMessageContaining("/runs/one/" + Staging.PLAN);
    assertThatThrownBy(() -> scan.files(file -> {}))
        .isInstanceOf(Staging.UnreadableException.class);
  }

  @Test
  void invalidPlanIsReported() throws IOException {
    directory.write(Staging.PLAN, out -> out.write(new byte[] {0x7b, 0x7d}));

    assertThatThrownBy(scan::head)
        .isInstanceOf(Staging.UnreadableException.class)
        .hasMessageContaining(Staging.PLAN);
  }
}
