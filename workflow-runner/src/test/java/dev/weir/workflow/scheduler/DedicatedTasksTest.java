package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.ClusterResources;
import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.JobAddition;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tasks that do not fit ordinary workers run on dedicated ones. */
class DedicatedTasksTest extends DispatcherFixture {

  private static final long GIB = 1L << 30;
  private static final int MOST = 10;
  private static final WorkerInfo FPGA = new WorkerInfo("f1", "n1", "/r");
  private static final ResourceNeeds ONE_FPGA = needs(Map.of("fpga", 1L));

  private static final WorkerSize SIZE =
      new WorkerSize(
          1,
          GIB,
          2,
          new ClusterResources(
              4 * GIB, Map.of("fpga", Map.of("n1", 1L, "n2", 2L)), Map.of("n2", 2 * GIB)));

  private static final WorkerSize ONE_AT_A_TIME = new WorkerSize(1, GIB, 0, SIZE.cluster());

  private static ResourceNeeds needs(Map<String, Long> resources) {
    return new ResourceNeeds(1, 0, resources);
  }

  private static Task plain(String id) {
    return Graphs.task(id, List.of(), List.of("f" + id));
  }

  private static Task fpga(String id, long amount) {
    return plain(id).withNeeds(TaskNeeds.UNKNOWN.withResources(Map.of("fpga", amount)));
  }

  private static Graph graph(Task... tasks) {
    return Graph.of("g", Graphs.of(tasks), LIMITS);
  }

  private Dispatcher started(Task... tasks) {
    return started(Graphs.of(tasks));
  }

  private Dispatcher started(Workflow workflow) {
    Dispatcher dispatcher =
        Dispatchers.of(workflow, AssignmentPolicy.DATA_AWARE, new Limits(5, 5), SIZE);
    effects(dispatcher.start(now));
    return dispatcher;
  }

  private Step done(Dispatcher dispatcher, Effect.Start start) {
    return dispatcher.reported("w2", Reports.took(Reports.succeeded(start, "n2", 1), 5_000), now);
  }

  @Test
  void ordinaryWorkersGetNoTasksThatNeedFurtherResources() {
    Dispatcher dispatcher = started(fpga("f", 1), plain("a"));

    assertThat(start(dispatcher.workerJoined(ON_N1, now)).task()).isEqualTo("a");

    assertThat(dispatcher.workerDemand().wantedDedicated(MOST)).isEqualTo(Map.of(ONE_FPGA, 1));
    assertThat(dispatcher.workerDemand().wantedWorkers()).as("ordinary workers").isEqualTo(1);
    assertThat(dispatcher.progress().ready()).as("the task that waits for a device").isEqualTo(1);
  }

  @Test
  void dedicatedWorkerRunsOneOfItsTasksAtATime() {
    Dispatcher dispatcher = started(fpga("f", 1), plain("a"), fpga("g", 1), fpga("two", 2));

    Effect.Start first = start(dispatcher.workerJoined(FPGA, ONE_FPGA, now));

    assertThat(first.task()).isEqualTo("f");
    assertThat(dispatcher.workerDemand().wantedDedicated(MOST))
        .isEqualTo(Map.of(ONE_FPGA, 2, needs(Map.of("fpga", 2L)), 1));
    Effect.Start second = start(dispatcher.reported("f1", Reports.succeeded(first, "n1", 9), now));
    assertThat(second.task()).isEqualTo("g");
    assertThat(effects(dispatcher.reported("f1", Reports.succeeded(second, "n1", 9), now)))
        .as("neither the plain task nor the one that needs two")
        .isEmpty();
  }

  @Test
  void gangRunsOnlyTasksWithItsNumberOfContainers() {
    Task pair = plain("p").withNeeds(TaskNeeds.UNKNOWN.withContainers(2));
    Task triple = plain("t").withNeeds(TaskNeeds.UNKNOWN.withContainers(3));
    Dispatcher dispatcher = started(plain("a"), triple, pair);
    ResourceNeeds ofPair = ResourceNeeds.of(pair.needs());

    assertThat(dispatcher.workerDemand().wantedDedicated(MOST))
        .isEqualTo(Map.of(ResourceNeeds.of(triple.needs()), 1, ofPair, 1));
    Effect.Start start = start(dispatcher.workerJoined(FPGA, ofPair, now));
    assertThat(start.task()).isEqualTo("p");
    assertThat(effects(dispatcher.reported("f1", Reports.succeeded(start, "n1", 9), now)))
        .isEmpty();
  }

  @Test
  void numberOfDedicatedWorkersIsLimited() {
    Dispatcher dispatcher = started(fpga("f", 1), fpga("g", 1), fpga("h", 1));

    assertThat(dispatcher.workerDemand().wantedDedicated(2)).isEqualTo(Map.of(ONE_FPGA, 2));
  }

  @Test
  void idleDedicatedWorkersAreDismissed() {
    Dispatcher dispatcher = started(fpga("f", 1), fpga("two", 2));
    WorkerDemand demand = dispatcher.workerDemand();
    start(dispatcher.workerJoined(FPGA, ONE_FPGA, now));
    effects(dispatcher.workerJoined(new WorkerInfo("f2", "n2", "/r"), ONE_FPGA, now));

    assertThat(demand.isWaitingForDedicated()).as("one that needs two").isTrue();
    assertThat(demand.dismissDedicated(0)).as("idle for a shorter time").isEmpty();
    assertThat(demand.dismissDedicated(now)).containsExactly("f2");
    assertThat(demand.ordinaryWorkers()).isZero();
  }

  @Test
  void otherWorkersAreDismissedIfOnlyTasksForDedicatedOnesAreReady() {
    Task after = Graphs.task("after", List.of("ff", "fa"), List.of());
    Dispatcher dispatcher = started(fpga("f", 1), plain("a"), after);
    WorkerDemand demand = dispatcher.workerDemand();
    assertThat(demand.isOnlyWaitingForDedicated()).as("a is ready").isFalse();
    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    assertThat(demand.isOnlyWaitingForDedicated()).isTrue();
    assertThat(demand.dismissAll(now)).as("it runs a").isEmpty();

    effects(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));

    assertThat(demand.wantedWorkers()).as("for the task after them").isEqualTo(1);
    assertThat(demand.dismiss(0, now)).isEmpty();
    assertThat(demand.dismissAll(now)).containsExactly("w1");
  }

  @Test
  void failedTaskRunsOnTheSameNodeIfNoOtherHasAWorkerForIt() {
    Dispatcher dispatcher = started(fpga("f", 1));
    effects(dispatcher.workerJoined(ON_N2, now));
    Effect.Start first = start(dispatcher.workerJoined(FPGA, ONE_FPGA, now));

    Effect.Start second = start(dispatcher.reported("f1", Reports.failed(first, 1), now));
    assertThat(second.worker()).isEqualTo("f1");

    effects(dispatcher.workerJoined(new WorkerInfo("f2", "n2", "/r"), ONE_FPGA, now));
    assertThat(start(dispatcher.reported("f1", Reports.failed(second, 1), now)).worker())
        .isEqualTo("f2");
  }

  @Test
  void failedPlainTaskIsNotKeptForANodeWithADedicatedWorkerOnly() {
    Dispatcher dispatcher = started(plain("a"));
    effects(dispatcher.workerJoined(new WorkerInfo("f2", "n2", "/r"), ONE_FPGA, now));
    Effect.Start first = start(dispatcher.workerJoined(ON_N1, now));

    assertThat(start(dispatcher.reported("w1", Reports.failed(first, 1), now)).worker())
        .isEqualTo("w1");
  }

  @Test
  void taskThatWasKilledWithAllMemoryOfAWorkerGetsALargerOne() {
    Dispatcher dispatcher = started(plain("a"));
    Effect.Start first = start(dispatcher.workerJoined(ON_N1, now));

    assertThat(effects(dispatcher.reported("w1", Reports.memoryExceeded(first), now))).isEmpty();

    ResourceNeeds twice = new ResourceNeeds(1, 2 * GIB);
    assertThat(dispatcher.workerDemand().wantedDedicated(MOST)).isEqualTo(Map.of(twice, 1));
    assertThat(dispatcher.workerDemand().wantedWorkers()).isZero();
    WorkerInfo larger = new WorkerInfo("m1", "n2", "/r");
    Effect.Start second = start(dispatcher.workerJoined(larger, twice, now));
    assertThat(second.needs()).isEqualTo(twice);

    effects(dispatcher.reported("m1", Reports.memoryExceeded(second), now));
    effects(dispatcher.workerLost("m1", "released", now));
    ResourceNeeds most = new ResourceNeeds(1, 4 * GIB);
    assertThat(dispatcher.workerDemand().wantedDedicated(MOST)).isEqualTo(Map.of(most, 1));
    Effect.Start third =
        start(dispatcher.workerJoined(new WorkerInfo("m2", "n2", "/r"), most, now));
    effects(dispatcher.reported("m2", Reports.memoryExceeded(third), now));
    assertThat(dispatcher.progress().ready()).as("a node has no more").isZero();
    assertThat(dispatcher.progress().running()).containsExactly("a");
  }

  @Test
  void taskWithDevicesGetsNoMoreMemoryThanTheNodesWithThemHave() {
    Dispatcher dispatcher = started(fpga("two", 2));
    Effect.Start first = start(dispatcher.workerJoined(FPGA, needs(Map.of("fpga", 2L)), now));

    effects(dispatcher.reported("f1", Reports.memoryExceeded(first), now));
    effects(dispatcher.workerLost("f1", "released", now));

    ResourceNeeds most = new ResourceNeeds(1, 2 * GIB, Map.of("fpga", 2L));
    assertThat(dispatcher.workerDemand().wantedDedicated(MOST)).isEqualTo(Map.of(most, 1));
    Effect.Start second =
        start(dispatcher.workerJoined(new WorkerInfo("f2", "n2", "/r"), most, now));
    assertThat(start(dispatcher.reported("f2", Reports.memoryExceeded(second), now)).needs())
        .as("another node has more, but no devices")
        .isEqualTo(most);
  }

  /** Workers of four cores, and a node with a device that has two cores. */
  private static WorkerSize fourCores() {
    return new WorkerSize(
        4,
        4 * GIB,
        0,
        new ClusterResources(
            16 * GIB,
            Map.of("fpga", Map.of("n1", 1L)),
            Map.of("n1", 6 * GIB),
            new ResourceNeeds(8, 16 * GIB),
            Map.of("n1", new ResourceNeeds(2, 7 * GIB))));
  }

  @Test
  void taskWithADeviceHadTheMemoryOfAWholeWorkerWhenItWasKilled() {
    Dispatcher dispatcher =
        Dispatchers.of(
            Graphs.of(fpga("f", 1)), AssignmentPolicy.DATA_AWARE, new Limits(5, 5), fourCores());
    effects(dispatcher.start(now));
    Effect.Start first = start(dispatcher.workerJoined(FPGA, ONE_FPGA, now));

    effects(dispatcher.reported("f1", Reports.memoryExceeded(first), now));
    effects(dispatcher.workerLost("f1", "released", now));

    assertThat(dispatcher.workerDemand().wantedDedicated(MOST))
        .isEqualTo(Map.of(new ResourceNeeds(1, 6 * GIB, Map.of("fpga", 1L)), 1));
  }

  @Test
  void profileThatNoNodeWithTheDevicesHasRoomForIsIgnored() {
    TaskProfiles.Profile busy = new TaskProfiles.Profile(4, 9, 9, 9, GIB, 3.5, 4);
    Dispatcher dispatcher =
        Dispatchers.of(
            Graphs.of(fpga("f", 1)),
            AssignmentPolicy.DATA_AWARE,
            new Limits(5, 5),
            fourCores(),
            new TaskProfiles(Map.of(fpga("f", 1).type(), busy)));
    effects(dispatcher.start(now));

    assertThat(dispatcher.workerDemand().wantedDedicated(MOST))
        .as("the learnt memory, but not four cores")
        .isEqualTo(Map.of(new ResourceNeeds(1, GIB + GIB / 4, Map.of("fpga", 1L)), 1));
  }

  @Test
  void dedicatedWorkersOfAnEarlierDispatcherKeepTheirTasks() {
    Dispatcher dispatcher =
        Dispatchers.of(
            Graphs.of(fpga("f", 1), fpga("g", 1)),
            AssignmentPolicy.DATA_AWARE,
            new Limits(5, 5),
            SIZE);
    // YARN has rounded its memory up.
    effects(dispatcher.workerJoined(FPGA, new ResourceNeeds(1, GIB, Map.of("fpga", 1L)), now));
    effects(dispatcher.returned("f1", List.of(new HeldAttempt("f", 1, 0, false, false)), now));

    assertThat(effects(dispatcher.start(now))).isEmpty();
    assertThat(dispatcher.progress().running()).containsExactly("f");
  }

  @Test
  void sessionRefusesResourcesThatYarnDoesNotCount() {
    Dispatcher session = Dispatchers.of(AssignmentPolicy.DATA_AWARE, new Limits(1, 5), SIZE);
    JobAddition job = new JobAddition(fpga("f", 1), List.of(), Map.of(), 1, 0, "", Set.of());
    Graph graph = graph(fpga("f", 1));
    assertThat(session.refusal(job)).isEmpty();
    assertThat(session.refusal(graph)).isEmpty();

    session.refuseResources("memory only");

    assertThat(session.refusal(job).orElseThrow()).contains("1 of fpga, and memory only");
    assertThat(session.refusal(graph)).contains("memory only");
  }

  @Test
  void jobsThatNeedMoreThanAContainerMayHaveAreRefused() {
    ClusterResources cluster =
        new ClusterResources(
            GIB, Map.of("fpga", Map.of("n1", 1L)), Map.of(), new ResourceNeeds(4, GIB), Map.of());
    WorkerSize size = new WorkerSize(1, GIB, 2, cluster);
    Dispatcher session = Dispatchers.of(AssignmentPolicy.DATA_AWARE, new Limits(1, 5), size);
    Map<String, Long> device = Map.of("fpga", 1L);

    assertThat(session.refusal(job(new TaskNeeds(4, GIB, 0).withResources(device)))).isEmpty();
    assertThat(session.refusal(job(new TaskNeeds(5, 0, 0).withResources(device))).orElseThrow())
        .contains("YARN gives a task at most 4 cores and 1024 MiB of memory");
    assertThat(session.refusal(job(new TaskNeeds(1, GIB + 1, 0).withResources(device))))
        .isPresent();
  }

  @Test
  void laterTasksAreRefusedIfNoNodeHasAllThatTheyNeed() {
    ResourceNeeds anyContainer = new ResourceNeeds(8, 8 * GIB);
    ClusterResources cluster =
        new ClusterResources(
            GIB,
            Map.of("fpga", Map.of("n1", 1L, "n2", 2L)),
            Map.of("n1", GIB, "n2", 4 * GIB),
            anyContainer,
            Map.of("n1", new ResourceNeeds(8, GIB), "n2", new ResourceNeeds(1, 4 * GIB)));
    WorkerSize size = new WorkerSize(1, 2 * GIB, 2, cluster);
    Dispatcher session = Dispatchers.of(AssignmentPolicy.DATA_AWARE, new Limits(1, 5), size);
    Map<String, Long> device = Map.of("fpga", 1L);

    assertThat(session.refusal(job(new TaskNeeds(1, 4 * GIB, 0).withResources(device)))).isEmpty();
    assertThat(session.refusal(job(new TaskNeeds(8, GIB, 0).withResources(device)))).isEmpty();
    assertThat(
            session.refusal(job(new TaskNeeds(2, 2 * GIB, 0).withResources(device))).orElseThrow())
        .contains(
            "of the nodes with these resources, [n1, n2], none can give a task 2 cores and 2048 MiB"
                + " of memory");
    assertThat(session.refusal(job(new TaskNeeds(2, 0, 0).withResources(device))))
        .as("its container has the memory of the others")
        .isPresent();
    assertThat(cluster.hosts(new ResourceNeeds(2, 0, device))).containsExactly("n1");
    assertThat(size.mostMemoryBytes(new ResourceNeeds(2, 0, device)))
        .as("after a kill for memory, on a node with its cores")
        .isEqualTo(GIB);
    assertThat(size.mostMemoryBytes(new ResourceNeeds(1, 0, device))).isEqualTo(4 * GIB);
  }

  @Test
  void statusSaysWhatTasksWaitFor() {
    Dispatcher dispatcher = started(fpga("f", 1), fpga("g", 1), fpga("two", 2), plain("a"));

    assertThat(dispatcher.details("").waiting())
        .containsExactly(
            new Progress.WaitingCount("1 core, and 1 of fpga", 2),
            new Progress.WaitingCount("1 core, and 2 of fpga", 1));
  }

  @Test
  void statusShowsFewOfManyKindsOfContainers() {
    List<Task> tasks = new ArrayList<>(List.of(fpga("f", 1), fpga("g", 1)));
    for (int i = 1; i <= 20; i++) {
      TaskNeeds needs = new TaskNeeds(1, (long) i << 20, 0).withResources(Map.of("fpga", 1L));
      tasks.add(plain("m" + i).withNeeds(needs));
    }

    assertThat(started(tasks.toArray(Task[]::new)).details("").waiting())
        .hasSize(10)
        .startsWith(new Progress.WaitingCount("1 core, and 1 of fpga", 2));
  }

  private static JobAddition job(TaskNeeds needs) {
    return new JobAddition(plain("a").withNeeds(needs), List.of(), Map.of(), 1, 0, "", Set.of());
  }

  @Test
  void addedTasksAreRefusedIfTheyNeedResourcesThatYarnDoesNotCount() {
    Dispatcher session = Dispatchers.of(AssignmentPolicy.DATA_AWARE, new Limits(1, 5), SIZE);
    effects(session.addGraph(graph(plain("a")), List.of(), now));
    session.refuseResources("memory only");

    List<Effect> grown =
        effects(
            session.grow(
                graph(fpga("f", 1)),
                new DispatchRecord.GraphGrown("g", "r", "r.json", now),
                List.of()));

    assertThat(grown)
        .containsExactly(
            new Effect.Answer("g", "r", new SteeringAnswer(0, "task 'f': memory only")));
    assertThat(session.progress("g").tasks()).isEqualTo(1);
  }

  @Test
  void secondCopiesRunNeitherOnDedicatedWorkersNorOfTheirTasks() {
    Task[] tasks = {plain("a"), plain("b"), plain("c"), plain("d"), fpga("f", 1)};
    Dispatcher dispatcher =
        Dispatchers.of(Graphs.of(tasks), AssignmentPolicy.DATA_AWARE, LIMITS, ONE_AT_A_TIME);
    dispatcher.speculate(true);
    effects(dispatcher.start(now));
    effects(dispatcher.workerJoined(ON_N1, now));
    Effect.Start quick = start(dispatcher.workerJoined(ON_N2, now));
    start(dispatcher.workerJoined(new WorkerInfo("f1", "n3", "/r"), ONE_FPGA, now));
    effects(dispatcher.workerJoined(new WorkerInfo("f2", "n4", "/r"), ONE_FPGA, now));
    quick = start(done(dispatcher, quick));
    quick = start(done(dispatcher, quick));
    effects(done(dispatcher, quick));
    effects(dispatcher.workerLost("w2", "lost", now));
    now += TimeUnit.HOURS.toMillis(1);

    // A worker is idle, so that copies are looked for, but only on the node of the straggler.
    effects(dispatcher.workerJoined(new WorkerInfo("w3", "n1", "/r"), now));
    assertThat(starts(dispatcher.tick(now)))
        .as("of the plain task on a dedicated worker, or of the other on an ordinary one")
        .isEmpty();
    effects(dispatcher.workerJoined(new WorkerInfo("w4", "n5", "/r"), now));
    assertThat(starts(dispatcher.tick(now)))
        .extracting(Effect.Start::worker)
        .as("of the plain task only")
        .containsExactly("w4");
  }

  @Test
  void unknownResourcesAreRefused() {
    Task task = plain("a").withNeeds(TaskNeeds.UNKNOWN.withResources(Map.of("gpu", 1L)));

    assertThatThrownBy(() -> started(task))
        .hasMessageContaining("'a' needs 1 core, and 1 of gpu, and YARN has no resource type 'gpu'")
        .hasMessageContaining("only [fpga]");
    assertThatThrownBy(() -> started(fpga("f", 3)))
        .hasMessageContaining("no node has that; the most is [2 of fpga]")
        .hasMessageEndingWith("device plugin)");
  }

  @Test
  void largerWorkersAreSuggestedForPlainTasks() {
    assertThatThrownBy(() -> started(plain("a").withNeeds(new TaskNeeds(100, 0, 0))))
        .hasMessageContaining("'a' needs 100 cores, and a worker has")
        .hasMessageEndingWith(": give workers more");
  }
}
