package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.run.Plans;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.SteeringRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a client does to add tasks to a run. */
class KnownRunAddTest {

  private static final ApplicationId ID = ApplicationId.newInstance(1, 9);

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final Map<ApplicationId, YarnApplicationState> states = new HashMap<>();
  private Staging directory;

  @BeforeEach
  void start() throws IOException {
    HDFS.fs().delete(new Path("/runs/" + ID), true);
    directory = new Staging(HDFS.fs(), new Path("/runs/" + ID));
    directory.create();
    states.put(ID, YarnApplicationState.RUNNING);
    write(Plans.task("a", List.of(), List.of("fa")));
  }

  private void write(Task task) throws IOException {
    RunPlan stored = Plans.of(1, task);
    RunPlan plan =
        new RunPlan(
            stored.workflow(),
            stored.mode(),
            stored.fileSystem(),
            stored.dataDir(),
            false,
            stored.workers(),
            Map.of(),
            Map.of(),
            "alice",
            RunOptions.DEFAULT,
            Map.of());
    directory.writeJson(Staging.PLAN, plan);
    directory.writeJson(Staging.SUMMARY, RunSummary.of(ID.toString(), plan, Instant.EPOCH));
  }

  private void add(Task... tasks) throws Exception {
    add(null, tasks);
  }

  private void add(java.nio.file.@Nullable Path upload, Task... tasks) throws Exception {
    Workflow workflow = Plans.of(1, tasks).workflow();
    new KnownRun(
            ID,
            directory,
            new Runs(
                new Configuration(),
                HDFS.fs(),
                new KnownApplications(KnownApplications.RUNS, states),
                Clock.systemUTC()))
        .add(workflow, upload, Duration.ZERO);
  }

  private List<String> written() throws IOException {
    List<String> names = directory.names("add");
    names.addAll(directory.names(SteeringRequest.PREFIX));
    return names;
  }

  @Test
  void tasksAreWrittenBeforeTheRequest() throws Exception {
    assertThatThrownBy(() -> add(Plans.task("b", List.of("fa"), List.of("fb"))))
        .isInstanceOf(SteeringException.class)
        .hasMessageContaining("The next ApplicationMaster executes the request");

    assertThat(written()).hasSize(2);
    assertThat(directory.readJson(written().get(1), Steering.class))
        .isEqualTo(new Steering(Action.ADD_TASKS, written().get(0), 0));
  }

  @Test
  void clashesAndMissingInputsAreRefusedAndLeaveNothing() throws Exception {
    assertThatThrownBy(() -> add(Plans.task("a", List.of(), List.of("fb"))))
        .isInstanceOf(SteeringException.class)
        .hasMessageContaining("The tasks cannot be added to " + ID)
        .hasMessageContaining("'a'");
    assertThatThrownBy(() -> add(Plans.task("b", List.of(), List.of("fa"))))
        .isInstanceOf(SteeringException.class)
        .hasMessageContaining("'fa'");
    assertThatThrownBy(() -> add(Plans.task("b", List.of("nosuch"), List.of("fb"))))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("/data/nosuch (read by task 'b')")
        .hasMessageContaining("--upload");
    assertThat(written()).isEmpty();
  }

  @Test
  void inputsOfTheRunAreNotReplaced(@TempDir java.nio.file.Path local) throws Exception {
    Path input = new Path("/data/in");
    try (OutputStream out = HDFS.fs().create(input)) {
      out.write(1);
    }
    Files.writeString(local.resolve("in"), "another");
    Files.writeString(local.resolve("new"), "more");
    write(Plans.task("a", List.of("in"), List.of("fa")));

    assertThatThrownBy(() -> add(local, Plans.task("b", List.of("in", "new"), List.of("fb"))))
        .hasMessageContaining("The next ApplicationMaster executes the request");

    assertThat(HDFS.fs().getFileStatus(input).getLen()).isEqualTo(1);
    assertThat(HDFS.fs().getFileStatus(new Path("/data/new")).getLen()).isEqualTo(4);
  }

  @Test
  void endedRunIsRefused() throws Exception {
    states.put(ID, YarnApplicationState.FINISHED);
    assertThatThrownBy(() -> add(Plans.task("b", List.of("fa"), List.of("fb"))))
        .isInstanceOf(SteeringException.class)
        .hasMessageContaining("has ended");
    assertThat(written()).isEmpty();
  }
}
