package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;
import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphGrown;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tasks that are added to a graph while it runs. */
class GraphGrowthTest extends DispatcherFixture {

  private static final String GRAPH = "g";
  private static final WorkerSize TWO_CORES = new WorkerSize(2, 100, 0);

  private final Dispatcher dispatcher =
      Dispatchers.of(AssignmentPolicy.DATA_AWARE, LIMITS, TWO_CORES);
  private int requests;

  private static Graph graph(Workflow workflow, Set<String> temporaries, Set<String> onNodes) {
    return new Graph(
        GRAPH,
        workflow,
        LIMITS.withKeepGoing(),
        0,
        false,
        TaskProfiles.NONE,
        temporaries,
        Set.of(),
        List.of(),
        onNodes);
  }

  /** Starts a graph on one worker; returns the starts. */
  private List<Effect.Start> begin(Workflow workflow, String... temporaries) {
    effects(dispatcher.start(now));
    effects(dispatcher.addGraph(graph(workflow, Set.of(temporaries), Set.of()), List.of(), now));
    return starts(effects(dispatcher.workerJoined(ON_N1, now)));
  }

  private static Graph added(List<StoredFile> inputs, Task... tasks) {
    return new Graph(
        GRAPH,
        Graphs.of(tasks),
        LIMITS,
        0,
        false,
        TaskProfiles.NONE,
        Set.of(),
        Set.of(),
        inputs,
        Set.of());
  }

  private List<Effect> grow(Task... tasks) {
    return grow(added(List.of(), tasks), "r" + ++requests);
  }

  private List<Effect> grow(Graph added, String request) {
    return effects(
        dispatcher.grow(added, new GraphGrown(GRAPH, request, request + ".json", now), List.of()));
  }

  private static String answer(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Answer.class::isInstance)
        .map(effect -> ((Effect.Answer) effect).answer().text())
        .findFirst()
        .orElseThrow();
  }

  private List<Effect> succeeds(Effect.Start start) {
    return effects(dispatcher.reported("w1", Reports.succeeded(start, "n1", 9), now));
  }

  private String refused(Task... tasks) {
    int size = dispatcher.progress(GRAPH).tasks();
    int records = journal.size();
    List<Effect> effects = grow(tasks);
    assertThat(effects).hasSize(1);
    assertThat(((Effect.Answer) effects.get(0)).answer().tasks()).isZero();
    assertThat(dispatcher.progress(GRAPH).tasks()).isEqualTo(size);
    assertThat(journal).hasSize(records);
    return answer(effects);
  }

  @Test
  void addedTasksWaitForFilesOfTheRunningGraphAndTheGraphEndsWithThem() {
    Effect.Start a = begin(Graphs.of(task("a", List.of("in"), List.of("fa")))).get(0);

    List<Effect> grown =
        grow(task("x", List.of("fa"), List.of("fx")), task("y", List.of("fx"), List.of("fy")));

    assertThat(answer(grown)).isEqualTo("2 tasks added");
    assertThat(journal).contains(new GraphGrown(GRAPH, "r1", "r1.json", now - 1));
    assertThat(starts(grown)).isEmpty();
    assertThat(dispatcher.progress(GRAPH).tasks()).isEqualTo(3);
    Effect.Start x = starts(succeeds(a)).get(0);
    assertThat(x.task()).isEqualTo("g:x");
    Effect.Start y = starts(succeeds(x)).get(0);
    assertThat(succeeds(y))
        .as("the result stays one although a task reads it now")
        .containsExactly(new Effect.Check(GRAPH, List.of("g:fa", "g:fy")));
    assertThat(effects(dispatcher.checked(GRAPH, List.of(), now)))
        .containsExactly(new Effect.Succeeded(GRAPH));
    assertThat(refused(task("z", List.of(), List.of("fz"))))
        .isEqualTo("the run is ending and takes no more tasks: start them as another run");
  }

  @Test
  void addedTasksStartImmediatelyIfTheirInputsExist() {
    Effect.Start a = begin(Graphs.of(task("a", List.of("in"), List.of("fa")))).get(0);

    assertThat(
            starts(
                grow(
                    added(
                        List.of(new StoredFile("more", 5, Map.of("n1", 5L))),
                        task("x", List.of("in", "more"), List.of("fx"))),
                    "r")))
        .extracting(Effect.Start::task)
        .containsExactly("g:x");
    assertThat(succeeds(a)).isEmpty();
  }

  @Test
  void tasksAddedDuringTheCheckOfTheResultsKeepTheGraphFromEnding() {
    Effect.Start a = begin(Graphs.of(task("a", List.of("in"), List.of("fa")))).get(0);
    assertThat(succeeds(a)).hasSize(1).hasOnlyElementsOfType(Effect.Check.class);

    Effect.Start x = starts(grow(task("x", List.of("fa"), List.of("fx")))).get(0);

    assertThat(effects(dispatcher.checked(GRAPH, List.of(), now))).isEmpty();
    assertThat(succeeds(x)).hasSize(1).hasOnlyElementsOfType(Effect.Check.class);
  }

  @Test
  void requestIsAppliedOnceEvenAfterARestart() {
    Workflow workflow = Graphs.of(task("a", List.of("in"), List.of("fa")));
    begin(workflow);
    Graph added = added(List.of(), task("x", List.of("fa"), List.of("fx")));
    grow(added, "r");

    assertThat(answer(grow(added, "r"))).isEqualTo("already added");
    assertThat(dispatcher.progress(GRAPH).tasks()).isEqualTo(2);

    Dispatcher next = Dispatchers.of(AssignmentPolicy.DATA_AWARE, LIMITS, TWO_CORES);
    for (DispatchRecord record : journal) {
      if (record instanceof DispatchRecord.GraphAdded first) {
        next.replayGraph(first, graph(workflow, Set.of(), Set.of()));
      } else if (record instanceof GraphGrown grown) {
        next.replayGrowth(added, grown);
      } else {
        next.replay(record);
      }
    }
    effects(next.start(now));
    assertThat(next.progress(GRAPH).tasks()).isEqualTo(2);
    assertThat(
            answer(effects(next.grow(added, new GraphGrown(GRAPH, "r", "r.json", now), List.of()))))
        .isEqualTo("already added");
    assertThat(starts(effects(next.workerJoined(ON_N1, now))))
        .extracting(Effect.Start::task)
        .containsExactly("g:a");
  }

  @Test
  void refusalsNameTaskFileAndRemedy() {
    begin(Graphs.chain());

    assertThat(refused(task("b", List.of(), List.of("fx"))))
        .isEqualTo("the run has a task 'b' already: give it another id");
    assertThat(refused(task("x", List.of(), List.of("fb"))))
        .isEqualTo("task 'x' writes 'fb', which the task 'b' of the run makes: write another file");
    assertThat(refused(task("x", List.of("fc"), List.of("in"))))
        .isEqualTo("task 'x' writes 'in', which is an input of the run: write another file");
    assertThat(refused(task("x", List.of("nosuch"), List.of("fx"))))
        .isEqualTo(
            "task 'x' reads 'nosuch', which is not in HDFS, and no task of the run makes it: put"
                + " it there, or correct its name");
    assertThat(
            refused(
                new Task(
                    "x",
                    "t",
                    List.of("true"),
                    List.of(),
                    List.of("fx"),
                    List.of(),
                    1,
                    new TaskNeeds(3, 0, 0))))
        .startsWith("Task 'x' needs");
    effects(dispatcher.steer(GRAPH, "c", Steering.of(Action.CANCEL, "b"), now));
    assertThat(refused(task("x", List.of("fc"), List.of("fx"))))
        .isEqualTo(
            "task 'x' reads 'fc', whose task 'c' has failed or was cancelled: retry it first");
  }

  @Test
  void deletedFileIsMadeAgain() {
    Effect.Start a = begin(Graphs.chain(), "fa").get(0);
    Effect.Start b = starts(succeeds(a)).get(0);
    Effect.Start c = starts(succeeds(b)).get(0);
    assertThat(effects(dispatcher.tick(now))).hasOnlyElementsOfType(Effect.DeleteFiles.class);
    effects(dispatcher.deleted(List.of("g:fa"), now));

    List<Effect.Start> again = starts(grow(task("x", List.of("fa"), List.of("fx"))));

    assertThat(again).extracting(Effect.Start::task).containsExactly("g:a");
    assertThat(starts(succeeds(again.get(0))))
        .extracting(Effect.Start::task)
        .containsExactly("g:x");
    assertThat(effects(dispatcher.tick(now))).as("x reads it").isEmpty();
    succeeds(c);
  }

  @Test
  void fileGoesToHdfsIfAnAddedTaskStandsForTheWorkflowInIt() {
    Workflow workflow =
        Graphs.of(task("a", List.of("in"), List.of("fa")), task("b", List.of("fa"), List.of("fb")));
    effects(dispatcher.start(now));
    Graph graph = graph(workflow, Set.of(), Set.of("fa"));
    effects(dispatcher.addGraph(graph, List.of(), now));

    List<String> words = new SubWorkflow("fa", Map.of()).words();
    grow(new Task("sub", SubWorkflow.TYPE, words, List.of("fa"), List.of(), 0));

    Effect.Start a = start(dispatcher.workerJoined(ON_N1, now));
    assertThat(a.stores()).as("the ApplicationMaster reads fa").isEqualTo(Effect.Stores.NONE);
  }

  @Test
  void ranksRiseBeforeAddedTasks() {
    Effect.Start hold = begin(Graphs.fan(4)).get(0);
    assertThat(hold.task()).as("t0 is on the longest path").isEqualTo("g:t0");

    grow(
        task("x", List.of("f3"), List.of("fx")),
        task("y", List.of("fx"), List.of("fy")),
        task("z", List.of("fy"), List.of("fz")));

    assertThat(starts(succeeds(hold)))
        .as("t3 is on the longest path now")
        .extracting(Effect.Start::task)
        .containsExactly("g:t3");
  }
}
