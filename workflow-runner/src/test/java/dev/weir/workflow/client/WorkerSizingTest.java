package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.client.WorkerSizing.Cluster;
import dev.weir.workflow.client.WorkerSizing.Node;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.WorkerPlan;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkerSizingTest {

  private static final long MEBI = 1 << 20;
  private static final int MASTER = 512;

  private static Task task(String id, int cores, long mebibytes) {
    return new Task(id, id, List.of("true"), List.of(), List.of(), 1)
        .withNeeds(new TaskNeeds(cores, mebibytes * MEBI, 0));
  }

  private static Workflow workflow(Task... tasks) {
    return new Workflow("test", List.of(tasks), Map.of());
  }

  private static Cluster cluster(Node... nodes) {
    return new Cluster(List.of(nodes), 100, 1_000_000, MASTER);
  }

  private static Cluster alike(int number, int cores, long megabytes) {
    return cluster(
        IntStream.range(0, number)
            .mapToObj(i -> new Node("n" + i, cores, megabytes))
            .toArray(Node[]::new));
  }

  private static WorkerPlan sized(Cluster cluster, TaskProfiles profiles, Task... tasks)
      throws RunException {
    return WorkerSizing.sized(WorkerPlan.DEFAULT, workflow(tasks), profiles, cluster);
  }

  private static WorkerPlan sized(Cluster cluster, Task... tasks) throws RunException {
    return sized(cluster, TaskProfiles.NONE, tasks);
  }

  private static TaskProfiles learned(String type, long mebibytes, double cores) {
    return new TaskProfiles(
        Map.of(type, new TaskProfiles.Profile(3, 1, 1, 1, mebibytes * MEBI).withCores(cores, 3)));
  }

  private static void assertSize(WorkerPlan plan, int count, int cores, int megabytes) {
    assertThat(Stream.of(plan.count(), plan.cores(), plan.megabytes()))
        .containsExactly(count, cores, megabytes);
  }

  @Test
  void smallTasksLeaveTheWorkersAsTheyAre() throws Exception {
    Workflow small = workflow(task("a", 1, 640), task("b", 0, 0));
    assertThat(WorkerSizing.exceeds(WorkerPlan.DEFAULT, small, TaskProfiles.NONE)).isFalse();
    assertThat(sized(alike(3, 2, 2048), task("a", 1, 640), task("b", 0, 0)))
        .isEqualTo(WorkerPlan.DEFAULT);
  }

  @Test
  void workersHaveRoomForTheLargestTask() throws Exception {
    Workflow blast = workflow(task("split", 0, 0), task("blast", 1, 903));
    assertThat(WorkerSizing.exceeds(WorkerPlan.DEFAULT, blast, TaskProfiles.NONE)).isTrue();
    assertSize(sized(alike(7, 2, 2048), task("split", 0, 0), task("blast", 1, 903)), 7, 1, 1287);
    assertSize(sized(alike(7, 4, 8192), task("a", 4, 100), task("b", 1, 4000)), 7, 4, 4384);
  }

  @Test
  void partsOfAMebibyteCount() throws Exception {
    Task task = task("a", 1, 0).withNeeds(new TaskNeeds(1, 1000 * MEBI + 1, 0));
    assertSize(sized(alike(2, 2, 2048), task), 2, 1, 1385);
  }

  @Test
  void givenNumberOfWorkersStays() throws Exception {
    WorkerPlan plan =
        WorkerSizing.sized(
            WorkerPlan.DEFAULT.withCount(12),
            workflow(task("a", 2, 0)),
            TaskProfiles.NONE,
            alike(3, 8, 8192));
    assertSize(plan, 12, 2, 1024);
  }

  @Test
  void onlyNodesWithRoomGetAWorker() throws Exception {
    Cluster mixed = cluster(new Node("s", 2, 2048), new Node("l", 8, 9000), new Node("m", 8, 9000));
    assertSize(sized(mixed, task("a", 1, 4000)), 2, 1, 4384);
  }

  @Test
  void taskBeyondEveryNodeIsRefused() {
    Cluster mixed = cluster(new Node("s", 8, 2048), new Node("l", 2, 9000), new Node("m", 2, 9000));
    assertThatThrownBy(() -> sized(mixed, task("ok", 1, 10), task("huge", 1, 9000)))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("'huge' needs 1 core and 9000 MiB of memory")
        .hasMessageContaining("the largest, l, has 2 cores and 9000 MiB")
        .hasMessageContaining("--ignore-needs")
        .hasMessageContaining("yarn.nodemanager.resource.memory-mb");
    assertThatThrownBy(() -> sized(mixed, task("wide", 9, 0)))
        .hasMessageContaining("'wide' needs 9 cores")
        .hasMessageContaining("the largest, s, has 8 cores and 2048 MiB");
    assertThatThrownBy(() -> sized(cluster(), task("wide", 9, 0)))
        .hasMessageContaining("no node has room for it. Correct");
  }

  @Test
  void tasksThatFitNoNodeTogetherAreRefused() {
    Cluster mixed =
        cluster(
            new Node("c", 8, 2048), new Node("d", 8, 2048),
            new Node("l", 2, 9000), new Node("m", 2, 9000));
    assertThatThrownBy(() -> sized(mixed, task("wide", 8, 0), task("large", 1, 8000)))
        .hasMessageContaining("'large' needs 1 core and 8000 MiB")
        .hasMessageContaining("a worker of 8 cores and 8384 MiB");
  }

  @Test
  void yarnsLargestContainerLimitsNodes() {
    Cluster limited = new Cluster(List.of(new Node("n", 8, 9000)), 4, 2000, MASTER);
    assertThatThrownBy(() -> sized(limited, task("a", 1, 2000)))
        .hasMessageContaining("the largest, n, has 4 cores and 2000 MiB");
  }

  /** Otherwise the worker would wait forever for the node that the ApplicationMaster has. */
  @Test
  void applicationMasterNeedsRoomOnTheOnlyNode() throws Exception {
    assertSize(sized(alike(1, 2, 2048), task("a", 1, 1152)), 1, 1, 1536);
    assertThatThrownBy(() -> sized(alike(1, 2, 2048), task("a", 1, 1153)))
        .hasMessageContaining("beside an ApplicationMaster of 512 MiB");
    assertSize(sized(alike(2, 2, 2048), task("a", 1, 1664)), 2, 1, 2048);
  }

  @Test
  void learnedNeedsCountWhereNoneAreDeclared() throws Exception {
    TaskProfiles learned = learned("a", 1000, 3.6);
    assertThat(WorkerSizing.exceeds(WorkerPlan.DEFAULT, workflow(task("a", 0, 0)), learned))
        .isTrue();
    assertSize(sized(alike(3, 8, 8192), learned, task("a", 0, 0)), 3, 4, 1634);
    assertSize(sized(alike(3, 8, 8192), learned, task("a", 1, 0)), 3, 1, 1634);
    assertSize(sized(alike(3, 8, 8192), learned, task("a", 2, 10)), 3, 2, 1024);
    assertSize(sized(alike(3, 8, 8192), learned, task("b", 0, 0)), 0, 1, 1024);
  }

  @Test
  void learnedNeedsBeyondEveryNodeTakeTheLargest() throws Exception {
    TaskProfiles learned = learned("a", 8000, 16);
    assertSize(sized(alike(3, 2, 2048), learned, task("a", 0, 0)), 3, 2, 2048);
    assertSize(sized(alike(1, 2, 2048), learned, task("a", 0, 0)), 1, 2, 1536);
  }
}
