package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;
import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Expansion;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphGrown;
import dev.weir.workflow.scheduler.api.DispatchRecord.TakenOver;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A task that stands for the workflow that another task makes. */
class SubWorkflowsTest extends DispatcherFixture {

  private static final String GRAPH = "g";

  /** "plan" makes a workflow, whose tasks make "fx"; "end" reads that. "last" comes after them. */
  private static final Workflow WORKFLOW =
      Graphs.of(
          task("plan", List.of("in"), List.of("sub")),
          standsForWorkflow("sub", "fx"),
          task("end", List.of("fx"), List.of("fend")),
          new Task("last", "t", List.of("true"), List.of(), List.of("flast"), List.of("sub"), 1),
          task("other", List.of("in"), List.of("fother")));

  private static final Task Y = task("sub.y", List.of("in"), List.of("fy"));
  private static final Task X = task("sub.x", List.of("fy"), List.of("fx"));
  private static final Task Z = task("sub.z", List.of("in"), List.of("fz"));

  private Dispatcher dispatcher = dispatcher();

  private static Task standsForWorkflow(String id, String output) {
    return new Task(
        id,
        SubWorkflow.TYPE,
        new SubWorkflow("sub", Map.of()).words(),
        List.of("sub"),
        List.of(output),
        0);
  }

  private static Dispatcher dispatcher() {
    return Dispatchers.of(AssignmentPolicy.FIFO, LIMITS, WorkerSize.ONE_TASK);
  }

  private static Graph graph(Workflow workflow, Limits limits) {
    return Graph.of(GRAPH, workflow, limits);
  }

  private static Graph added(Task... tasks) {
    return graph(Graphs.of(tasks), LIMITS);
  }

  private List<Effect> grow(List<TakenOver> known, Task... tasks) {
    GraphGrown record = new GraphGrown(GRAPH, GraphGrown.expansionOf("sub"), "f", now);
    return effects(dispatcher.grow(added(tasks), record, known));
  }

  private List<Effect> succeeds(String task) {
    Effect.Start start = Starts.of("w1", "g:" + task, 1, outputs(task));
    return effects(dispatcher.reported("w1", Reports.succeeded(start, "n1", 9), now));
  }

  private static List<String> outputs(String task) {
    return Graphs.of(Y, X, Z).tasks().stream()
        .filter(one -> one.id().equals(task))
        .findFirst()
        .or(() -> WORKFLOW.tasks().stream().filter(one -> one.id().equals(task)).findFirst())
        .orElseThrow()
        .outputs()
        .stream()
        .map(output -> "g:" + output)
        .toList();
  }

  private static List<String> started(List<Effect> effects) {
    return starts(effects).stream().map(start -> ScopedId.id(start.task())).toList();
  }

  /** Runs "plan" on one worker; the task "other" is next. */
  private List<Effect> begin(Limits limits) {
    effects(dispatcher.start(now));
    effects(dispatcher.addGraph(graph(WORKFLOW, limits), List.of(), now));
    assertThat(started(effects(dispatcher.workerJoined(ON_N1, now)))).containsExactly("plan");
    return succeeds("plan");
  }

  @Test
  void tasksOfTheWorkflowMakeWhatOthersWaitFor() {
    assertThat(begin(LIMITS)).contains(new Effect.Expand(GRAPH, "sub"));

    grow(List.of(), Y, X, Z);
    assertThat(dispatcher.progress(GRAPH).tasks()).isEqualTo(8);
    assertThat(started(succeeds("other"))).containsExactly("sub.y");
    assertThat(started(succeeds("sub.y"))).containsExactly("sub.z");
    assertThat(started(succeeds("sub.z"))).containsExactly("sub.x");
    assertThat(started(succeeds("sub.x")))
        .as("its reader, and what comes after the whole workflow")
        .hasSize(1)
        .isSubsetOf("end", "last");
    succeeds("end");
    succeeds("last");
    assertThat(effects(dispatcher.checked(GRAPH, List.of(), now)))
        .containsExactly(new Effect.Succeeded(GRAPH));
    assertThat(dispatcher.progress(GRAPH).done()).isEqualTo(8);
  }

  @Test
  void anotherDispatcherHasTheSameTasks() {
    begin(LIMITS);
    grow(List.of(), Y, X, Z);
    succeeds("other");
    succeeds("sub.y");
    succeeds("sub.z");
    List<DispatchRecord> before = List.copyOf(journal);

    dispatcher = dispatcher();
    for (DispatchRecord record : before) {
      if (record instanceof DispatchRecord.GraphAdded first) {
        dispatcher.replayGraph(first, graph(WORKFLOW, LIMITS));
      } else if (record instanceof GraphGrown grown) {
        assertThat(grown.expands()).contains("sub");
        dispatcher.replayGrowth(added(Y, X, Z), grown);
      } else {
        dispatcher.replay(record);
      }
    }
    effects(dispatcher.start(now));

    assertThat(dispatcher.progress(GRAPH).done()).isEqualTo(4);
    assertThat(started(effects(dispatcher.workerJoined(ON_N1, now)))).containsExactly("sub.x");
    succeeds("sub.x");
    succeeds("end");
    succeeds("last");
    assertThat(dispatcher.progress(GRAPH).done()).isEqualTo(8);
  }

  @Test
  void anotherDispatcherRequestsTasksThatTheJournalLacks() {
    begin(LIMITS);
    List<DispatchRecord> before = List.copyOf(journal);

    dispatcher = dispatcher();
    dispatcher.replayGraph((DispatchRecord.GraphAdded) before.get(0), graph(WORKFLOW, LIMITS));
    before.stream().skip(1).forEach(dispatcher::replay);

    assertThat(effects(dispatcher.start(now))).contains(new Effect.Expand(GRAPH, "sub"));
  }

  @Test
  void tasksThatAnEarlierRunHasDoneAreTakenOver() {
    begin(LIMITS);
    TakenOver y =
        new TakenOver("sub.y", "r", true, List.of(new StoredFile("fy", 9, Map.of("n1", 9L))));
    TakenOver x =
        new TakenOver("sub.x", "r", true, List.of(new StoredFile("fx", 9, Map.of("n1", 9L))));
    TakenOver end =
        new TakenOver("end", "r", true, List.of(new StoredFile("fend", 9, Map.of("n1", 9L))));

    grow(List.of(y, x, end), Y, X, Z);

    assertThat(dispatcher.details(GRAPH).reused()).isEqualTo(3);
    assertThat(started(succeeds("other"))).containsExactly("sub.z");
    assertThat(started(succeeds("sub.z"))).containsExactly("last");
  }

  @Test
  void workflowThatHasTheTasksAlreadyIsNotExpanded() {
    Workflow grown = Expansion.beside(WORKFLOW, "sub", Graphs.of(Y, X, Z));
    effects(dispatcher.start(now));
    Graph graph = Graph.of(GRAPH, grown, LIMITS);
    effects(dispatcher.addGraph(graph, List.of(), now));
    effects(dispatcher.workerJoined(ON_N1, now));

    for (String task : List.of("plan", "other", "sub.y", "sub.z", "sub.x", "end", "last")) {
      assertThat(succeeds(task)).noneMatch(Effect.Expand.class::isInstance);
    }
    assertThat(dispatcher.progress(GRAPH).done()).isEqualTo(8);
  }

  @Test
  void taskOfAnInvalidWorkflowFails() {
    begin(LIMITS);

    List<Effect> effects =
        effects(dispatcher.notExpanded(GRAPH, "sub", "/data/sub: 1:1: bad; correct it", now));

    assertThat(effects)
        .filteredOn(Effect.Failed.class::isInstance)
        .extracting(effect -> ((Effect.Failed) effect).failure().inOneLine())
        .containsExactly("Task sub: /data/sub: 1:1: bad; correct it");
  }

  @Test
  void lostWorkflowIsMadeAgainAndRead() {
    begin(LIMITS);

    List<Effect> effects =
        effects(dispatcher.subWorkflowLost(GRAPH, "sub", "input lost: /data/sub", now));
    assertThat(effects).noneMatch(Effect.Failed.class::isInstance);
    assertThat(started(succeeds("other"))).containsExactly("plan");

    Effect.Start again = Starts.of("w1", "g:plan", 2, outputs("plan"));
    assertThat(effects(dispatcher.reported("w1", Reports.succeeded(again, "n1", 9), now)))
        .contains(new Effect.Expand(GRAPH, "sub"));
    grow(List.of(), Y, X);
    assertThat(dispatcher.progress(GRAPH).tasks()).isEqualTo(7);
  }

  @Test
  void workflowThatIsLostTooOftenFailsItsTask() {
    begin(LIMITS);
    succeeds("other");
    for (int attempt = 2; attempt <= LIMITS.losses(); attempt++) {
      assertThat(effects(dispatcher.subWorkflowLost(GRAPH, "sub", "lost", now)))
          .noneMatch(Effect.Failed.class::isInstance);
      Effect.Start again = Starts.of("w1", "g:plan", attempt, outputs("plan"));
      effects(dispatcher.reported("w1", Reports.succeeded(again, "n1", 9), now));
    }

    assertThat(effects(dispatcher.subWorkflowLost(GRAPH, "sub", "lost", now)))
        .anyMatch(Effect.Failed.class::isInstance);
  }

  @Test
  void lossThatTwoReadersFindCountsOnce() {
    Workflow two =
        Graphs.of(
            task("plan", List.of("in"), List.of("sub")),
            standsForWorkflow("sub", "fx"),
            standsForWorkflow("sub2", "fx2"));
    Limits limits = new Limits(LIMITS.attempts(), 2, LIMITS.keepGoing());
    effects(dispatcher.start(now));
    effects(dispatcher.addGraph(graph(two, limits), List.of(), now));
    effects(dispatcher.workerJoined(ON_N1, now));
    succeeds("plan");

    effects(dispatcher.subWorkflowLost(GRAPH, "sub", "lost", now));
    assertThat(effects(dispatcher.subWorkflowLost(GRAPH, "sub2", "lost", now)))
        .noneMatch(Effect.Failed.class::isInstance);
  }

  @Test
  void pauseOfTheTaskReachesNoOtherTaskWhoseIdBeginsWithIts() {
    begin(LIMITS);
    Task owners = task("sub.own", List.of("in"), List.of("fown"));
    effects(dispatcher.grow(added(owners), new GraphGrown(GRAPH, "r", "f", now), List.of()));
    grow(List.of(), Y, X);

    effects(dispatcher.steer(GRAPH, "p", Steering.of(Action.PAUSE, "sub"), now));

    assertThat(dispatcher.details(GRAPH).held()).isEqualTo(3);
    assertThat(started(succeeds("other"))).containsExactly("sub.own");
  }

  @Test
  void pauseOfTheTaskReachesTheTasksOfItsWorkflow() {
    begin(LIMITS);
    effects(dispatcher.steer(GRAPH, "p", Steering.of(Action.PAUSE, "sub"), now));
    effects(dispatcher.steer(GRAPH, "u", new Steering(Action.PRIORITISE, "sub", 3), now));
    grow(List.of(), Y, X);
    assertThat(dispatcher.details(GRAPH).held())
        .as("the task and those of its workflow")
        .isEqualTo(3);
    assertThat(started(succeeds("other"))).isEmpty();

    effects(dispatcher.steer(GRAPH, "o", Steering.of(Action.RESUME, "sub"), now));

    assertThat(dispatcher.progress(GRAPH).running()).containsExactly("sub.y");
    assertThat(dispatcher.details(GRAPH).held()).isZero();
  }

  @Test
  void pauseOfTheRunReachesTheTasksOfAWorkflow() {
    begin(LIMITS);
    effects(dispatcher.steer(GRAPH, "p", Steering.of(Action.PAUSE, ""), now));
    grow(List.of(), Y, X);
    assertThat(started(succeeds("other"))).isEmpty();

    assertThat(started(effects(dispatcher.steer(GRAPH, "o", Steering.of(Action.RESUME, ""), now))))
        .containsExactly("sub.y");
  }

  @Test
  void cancelOfTheTaskCancelsTheTasksOfItsWorkflow() {
    begin(LIMITS.withKeepGoing());
    grow(List.of(), Y, X);

    effects(dispatcher.steer(GRAPH, "c", Steering.of(Action.CANCEL, "sub"), now));

    assertThat(dispatcher.details(GRAPH).dropped())
        .as("the task, those of its workflow, and those after them")
        .isEqualTo(5);
  }

  @Test
  void tasksOfAnUrgentWorkflowGoFirst() {
    begin(LIMITS);
    effects(dispatcher.steer(GRAPH, "u", new Steering(Action.PRIORITISE, "sub", 3), now));
    Task earlier = task("earlier", List.of("in"), List.of("fearlier"));
    effects(dispatcher.grow(added(earlier), new GraphGrown(GRAPH, "r", "f", now), List.of()));
    grow(List.of(), Y, X);

    assertThat(started(succeeds("other"))).containsExactly("sub.y");
    assertThat(started(succeeds("sub.y"))).containsExactly("sub.x");
    assertThat(started(succeeds("sub.x"))).containsExactly("earlier");
  }

  @Test
  void otherTasksGoOnAfterAnInvalidWorkflowUntilItIsRetried() {
    begin(LIMITS.withKeepGoing());

    effects(dispatcher.notExpanded(GRAPH, "sub", "bad", now));
    assertThat(dispatcher.details(GRAPH).dropped()).isEqualTo(3);

    assertThat(effects(dispatcher.steer(GRAPH, "r", Steering.of(Action.RETRY, "sub"), now)))
        .contains(new Effect.Expand(GRAPH, "sub"));
    grow(List.of(), Y, X);
    assertThat(started(succeeds("other"))).containsExactly("sub.y");
  }

  @Test
  void tasksOfACancelledTaskAreRefused() {
    begin(LIMITS.withKeepGoing());
    effects(dispatcher.steer(GRAPH, "c", Steering.of(Action.CANCEL, "sub"), now));

    assertThat(grow(List.of(), Y, X))
        .containsExactly(
            new Effect.Answer(
                GRAPH,
                "workflow:sub",
                new SteeringAnswer(0, "the task 'sub' was cancelled or is not known")));
  }

  @Test
  void lostFileIsMadeAgainByTheAddedTask() {
    begin(LIMITS);
    grow(List.of(), Y, X);
    succeeds("other");
    succeeds("sub.y");
    succeeds("sub.x");
    succeeds("end");
    succeeds("last");

    assertThat(started(effects(dispatcher.checked(GRAPH, List.of("g:fend"), now))))
        .containsExactly("end");
    assertThat(dispatcher.progress(GRAPH).done()).isEqualTo(6);
  }
}
