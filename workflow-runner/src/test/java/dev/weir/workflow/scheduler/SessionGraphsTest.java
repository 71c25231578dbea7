package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Additions.plain;
import static dev.weir.workflow.scheduler.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphAdded;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphEnded;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several graphs and single jobs that share the workers of a session. */
class SessionGraphsTest extends DispatcherFixture {

  private static final WorkerSize FOUR_CORES = new WorkerSize(4, Long.MAX_VALUE, 0);

  private final Map<String, Effect.Start> running = new HashMap<>();

  private Dispatcher session(WorkerSize size) {
    Dispatcher dispatcher = Dispatchers.of(AssignmentPolicy.DATA_AWARE, LIMITS, size);
    take(dispatcher.start(now));
    take(dispatcher.workerJoined(ON_N1, now));
    return dispatcher;
  }

  private List<Effect> take(Step step) {
    List<Effect> effects = effects(step);
    Starts.starts(effects).forEach(start -> running.put(start.task(), start));
    return effects;
  }

  /** Tasks without files, called t0 and so on. */
  private static Workflow idle(int tasks) {
    return Graphs.of(
        IntStream.range(0, tasks)
            .mapToObj(i -> Graphs.idle("t" + i, ResourceNeeds.ONE_CORE))
            .toList());
  }

  private static Graph graph(String id, Workflow workflow, int priority) {
    return new Graph(
        id,
        workflow,
        LIMITS,
        priority,
        false,
        TaskProfiles.NONE,
        Set.of(),
        Set.of(),
        List.of(),
        Set.of());
  }

  private void add(Dispatcher dispatcher, String id, Workflow workflow) {
    take(dispatcher.addGraph(graph(id, workflow, 0), List.of(), now));
  }

  private Effect.Start ended(String task) {
    return Objects.requireNonNull(running.remove(task), task);
  }

  private List<Effect> succeeds(Dispatcher dispatcher, String task) {
    return take(dispatcher.reported("w1", Reports.succeeded(ended(task), "n1", 9), now));
  }

  private List<Effect> stops(Dispatcher dispatcher, String task) {
    return take(dispatcher.reported("w1", TaskReport.stopped(task, ended(task).attempt()), now));
  }

  private long running(String graph) {
    return running.keySet().stream().filter(id -> ScopedId.graph(id).equals(graph)).count();
  }

  private <T extends DispatchRecord> List<T> recorded(Class<T> type) {
    return journal.stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  void aScopedIdHasTheGraphAndTheId() {
    assertThat(ScopedId.of("g", "a:b")).isEqualTo("g:a:b");
    assertThat(ScopedId.graph("g:a:b")).isEqualTo("g");
    assertThat(ScopedId.id("g:a:b")).isEqualTo("a:b");
    assertThat(ScopedId.of("", "a")).isEqualTo("a");
    assertThat(ScopedId.graph("a")).isEmpty();
    assertThat(ScopedId.id("a")).isEqualTo("a");
    assertThatThrownBy(() -> Graph.of("a:b", idle(1), LIMITS))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aGraphRunsByScopedIdsToItsEnd() {
    Dispatcher dispatcher = session(WorkerSize.ONE_TASK);
    add(dispatcher, "g", Graphs.chain());

    assertThat(running).containsOnlyKeys("g:a");
    assertThat(running.values()).allMatch(start -> start.outputs().equals(List.of("g:fa")));
    assertThat(dispatcher.progress("g").running()).containsExactly("a");
    assertThat(dispatcher.progress().running()).containsExactly("g:a");
    succeeds(dispatcher, "g:a");
    succeeds(dispatcher, "g:b");
    assertThat(succeeds(dispatcher, "g:c")).containsExactly(new Effect.Check("g", List.of("g:fc")));
    take(dispatcher.checked("g", List.of("g:fc"), now));
    assertThat(running).as("a result that is lost is made again").containsOnlyKeys("g:c");
    succeeds(dispatcher, "g:c");
    assertThat(effects(dispatcher.checked("g", List.of(), now)))
        .containsExactly(new Effect.Succeeded("g"));

    assertThat(recorded(GraphAdded.class)).containsExactly(new GraphAdded("g", 0, 1_002));
    assertThat(recorded(GraphEnded.class))
        .singleElement()
        .satisfies(
            end -> {
              assertThat(end.outcome()).isEqualTo(GraphEnded.Outcome.SUCCEEDED);
              assertThat(end.failure()).isNull();
            });
  }

  @Test
  void aGraphOfHigherPriorityGoesFirst() {
    Dispatcher dispatcher = session(WorkerSize.ONE_TASK);
    add(dispatcher, "low", idle(3));
    take(dispatcher.addGraph(graph("high", idle(2), 1), List.of(), now));

    succeeds(dispatcher, "low:t0");
    assertThat(running).containsOnlyKeys("high:t0");
    succeeds(dispatcher, "high:t0");
    assertThat(running).containsOnlyKeys("high:t1");
    take(dispatcher.steer("low", "1", new Steering(Action.PRIORITISE, "", 2), now));
    take(dispatcher.addGraph(graph("other", idle(2), 1), List.of(), now));
    succeeds(dispatcher, "high:t1");
    assertThat(running).as("the graph has another priority now").containsOnlyKeys("low:t1");
  }

  @Test
  void graphsOfOnePriorityShareCoresEqually() {
    Dispatcher dispatcher = session(FOUR_CORES);
    add(dispatcher, "a", idle(20));
    assertThat(running("a")).isEqualTo(4);
    add(dispatcher, "b", idle(20));
    take(dispatcher.add(plain(Graphs.idle("job", ResourceNeeds.ONE_CORE)), now));

    for (int i = 0; i < 3; i++) {
      succeeds(dispatcher, "a:t" + i);
    }

    assertThat(running("a")).isBetween(1L, 2L);
    assertThat(running("b")).isBetween(1L, 2L);
    assertThat(running("")).isEqualTo(1);
    succeeds(dispatcher, "job");
    assertThat(running("a")).isEqualTo(2);
    assertThat(running("b")).isEqualTo(2);
  }

  @Test
  void coresThatBecomeFreeTogetherAreShared() {
    Dispatcher dispatcher = Dispatchers.of(AssignmentPolicy.DATA_AWARE, LIMITS, FOUR_CORES);
    take(dispatcher.start(now));
    add(dispatcher, "a", idle(20));
    add(dispatcher, "b", idle(20));
    add(dispatcher, "small", idle(1));

    take(dispatcher.workerJoined(ON_N1, now));
    take(dispatcher.workerJoined(ON_N2, now));

    assertThat(running("a")).isBetween(3L, 4L);
    assertThat(running("b")).isBetween(3L, 4L);
    assertThat(running("small")).isEqualTo(1);
  }

  @Test
  void unusedSharesGoToOtherGraphs() {
    Dispatcher dispatcher = session(FOUR_CORES);
    take(dispatcher.steer("", "x", Steering.of(Action.PAUSE, ""), now));
    add(dispatcher, "a", idle(1));
    add(dispatcher, "b", idle(5));

    assertThat(running("a")).isEqualTo(1);
    assertThat(running("b")).isEqualTo(3);
  }

  @Test
  void aTaskAheadIsOfTheGraphWithTheFewestCores() {
    Dispatcher dispatcher = session(new WorkerSize(1, Long.MAX_VALUE, 1));
    add(dispatcher, "a", idle(5));
    assertThat(running("a")).as("one runs, one is ahead").isEqualTo(2);
    add(dispatcher, "b", idle(5));

    succeeds(dispatcher, "a:t0");

    assertThat(running).containsOnlyKeys("a:t1", "b:t0");
  }

  @Test
  void aLargeTaskGetsRoomBesideSmallTasksOfOtherGraphs() {
    Dispatcher dispatcher = session(FOUR_CORES);
    add(dispatcher, "small", idle(1_000));
    add(dispatcher, "large", Graphs.of(Graphs.idle("t", new ResourceNeeds(4, 0))));
    int done = 0;
    while (!running.containsKey("large:t") && done < 900) {
      now += 1_000;
      String next = running.keySet().stream().sorted().findFirst().orElseThrow();
      succeeds(dispatcher, next);
      done++;
    }

    assertThat(done).as("small tasks before it").isLessThan(100);
  }

  @Test
  void aFailedGraphStopsOnlyItsOwnTasks() {
    Dispatcher dispatcher = session(FOUR_CORES);
    add(dispatcher, "bad", idle(2));
    add(dispatcher, "good", idle(2));
    for (int i = 0; i < 2; i++) {
      take(dispatcher.reported("w1", Reports.failed(ended("bad:t0"), 1), now));
    }

    List<Effect> end = take(dispatcher.reported("w1", Reports.failed(ended("bad:t0"), 1), now));

    assertThat(end)
        .last()
        .isInstanceOfSatisfying(
            Effect.Failed.class,
            failed -> {
              assertThat(failed.graph()).isEqualTo("bad");
              assertThat(failed.failure().task()).isEqualTo("t0");
            });
    assertThat(end).contains(new Effect.Stop("w1", "bad:t1", 1)).hasSize(2);
    assertThat(dispatcher.details("bad").failures())
        .extracting(Progress.Failed::task)
        .containsOnly("t0");
    stops(dispatcher, "bad:t1");
    assertThat(running).containsOnlyKeys("good:t0", "good:t1");
    succeeds(dispatcher, "good:t0");
    assertThat(succeeds(dispatcher, "good:t1"))
        .containsExactly(new Effect.Check("good", List.of()));
    assertThat(effects(dispatcher.checked("good", List.of(), now)))
        .containsExactly(new Effect.Succeeded("good"));
  }

  @Test
  void requestsAffectOneGraph() {
    Dispatcher dispatcher = session(WorkerSize.ONE_TASK);
    add(dispatcher, "a", idle(3));
    add(dispatcher, "b", idle(3));

    take(dispatcher.steer("b", "1", Steering.of(Action.PAUSE, ""), now));
    succeeds(dispatcher, "a:t0");
    assertThat(running).containsOnlyKeys("a:t1");
    take(dispatcher.steer("b", "2", Steering.of(Action.RESUME, ""), now));
    take(dispatcher.steer("a", "1", Steering.of(Action.CANCEL, "t2"), now));
    assertThat(dispatcher.details("a").dropped()).isEqualTo(1);
    assertThat(dispatcher.details("b").dropped()).isZero();
    take(dispatcher.steer("a", "2", Steering.of(Action.RETRY, "t2"), now));
    assertThat(dispatcher.details("a").dropped()).isZero();

    List<Effect> end = take(dispatcher.steer("a", "3", Steering.of(Action.CANCEL, ""), now));

    assertThat(end).contains(new Effect.Failed("a", RunFailure.cancelledRun()));
    assertThat(end).contains(new Effect.Stop("w1", "a:t1", 1));
    stops(dispatcher, "a:t1");
    assertThat(running).containsOnlyKeys("b:t0");
    assertThat(take(dispatcher.steer("a", "4", Steering.of(Action.RESUME, ""), now)))
        .containsExactly(new Effect.Answer("a", "4", GraphRun.TOO_LATE));
    assertThat(take(dispatcher.steer("gone", "1", Steering.of(Action.RESUME, ""), now)))
        .containsExactly(new Effect.Answer("gone", "1", GraphRun.TOO_LATE));
  }

  @Test
  void recordsOfEarlierRunsGetScopedIds() {
    Dispatcher dispatcher = session(WorkerSize.ONE_TASK);
    StoredFile made = new StoredFile("fa", 9, Map.of("n1", 9L));

    take(
        dispatcher.addGraph(
            graph("g", Graphs.chain(), 0),
            List.of(
                new DispatchRecord.FilesFound(List.of("fb")),
                new DispatchRecord.TakenOver("a", "earlier", true, List.of(made))),
            now));

    assertThat(running).containsOnlyKeys("g:b");
    assertThat(journal)
        .containsExactly(
            new GraphAdded("g", 0, 1_002),
            new DispatchRecord.FilesFound(List.of("g:fb")),
            new DispatchRecord.TakenOver(
                "g:a", "earlier", true, List.of(new StoredFile("g:fa", 9, Map.of("n1", 9L)))));
    assertThat(dispatcher.details("g").reused()).isEqualTo(1);
  }

  @Test
  void knownOrTooLargeGraphsAreRefused() {
    Dispatcher dispatcher = session(WorkerSize.ONE_TASK);
    add(dispatcher, "g", idle(1));

    assertThat(dispatcher.refusal(graph("g", idle(1), 0))).get().asString().contains("'g' already");
    Graph large = graph("h", Graphs.of(Graphs.idle("t", new ResourceNeeds(2, 0))), 0);
    assertThat(dispatcher.refusal(large)).get().asString().contains("Task 't' needs");
    assertThatThrownBy(() -> dispatcher.addGraph(large, List.of(), now))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'h'");
    assertThat(dispatcher.refusal(graph("i", idle(1), 0))).isEmpty();
  }

  @Test
  void anotherMasterContinuesAllGraphs() {
    Dispatcher first = session(FOUR_CORES);
    Graph one = graph("one", Graphs.chain(), 0);
    Graph two = graph("two", idle(3), 1);
    take(first.addGraph(one, List.of(), now));
    take(first.addGraph(two, List.of(), now));
    take(first.add(plain(task("job", List.of(), List.of("out"))), now));
    succeeds(first, "one:a");
    succeeds(first, "two:t1");
    take(first.steer("two", "1", Steering.of(Action.CANCEL, ""), now));
    take(first.steer("one", "1", new Steering(Action.PRIORITISE, "", 7), now));

    Dispatcher second = Dispatchers.of(AssignmentPolicy.DATA_AWARE, LIMITS, FOUR_CORES);
    for (DispatchRecord record : journal) {
      if (record instanceof GraphAdded added) {
        second.replayGraph(added, added.graph().equals("one") ? one : two);
      } else {
        assertThat(second.knows(record)).isTrue();
        second.replay(record);
      }
    }
    running.clear();
    List<Effect> begun = new ArrayList<>(take(second.start(now)));
    begun.addAll(take(second.workerJoined(ON_N2, now)));

    assertThat(begun).as("the end of two is known").hasOnlyElementsOfType(Effect.Start.class);
    assertThat(running).containsOnlyKeys("one:b", "job");
    assertThat(second.progress("two").done()).isEqualTo(1);
    assertThat(second.knows(new GraphEnded("x", GraphEnded.Outcome.FAILED, null, 1)))
        .as("it is of no graph, but ids without a graph may have a colon")
        .isTrue();
    assertThatThrownBy(() -> second.replayGraph(new GraphAdded("x", 0, 1), graph("y", idle(1), 0)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anUnrecordedEndOfAGraphIsPublished() {
    Dispatcher second = Dispatchers.of(AssignmentPolicy.DATA_AWARE, LIMITS, FOUR_CORES);
    second.replayGraph(new GraphAdded("g", 0, 1), graph("g", idle(1), 0));
    second.replay(new DispatchRecord.Steered("g", "1", Steering.of(Action.CANCEL, ""), 2));

    assertThat(take(second.start(now)))
        .containsExactly(new Effect.Failed("g", RunFailure.cancelledRun()));
    assertThat(recorded(GraphEnded.class)).hasSize(1);
  }

  @Test
  void aGraphIsForgottenWhenItHasEndedAndHasNoAttempts() {
    Dispatcher dispatcher = session(WorkerSize.ONE_TASK);
    add(dispatcher, "g", idle(2));
    assertThat(dispatcher.hasAttempts("g")).isTrue();
    assertThatThrownBy(() -> dispatcher.forgetGraph("g")).isInstanceOf(IllegalStateException.class);
    take(dispatcher.steer("g", "1", Steering.of(Action.CANCEL, ""), now));
    assertThatThrownBy(() -> dispatcher.forgetGraph("g"))
        .as("its attempt may still be there")
        .isInstanceOf(IllegalStateException.class);
    stops(dispatcher, "g:t0");
    assertThat(dispatcher.hasAttempts("g")).isFalse();

    dispatcher.forgetGraph("g");
    dispatcher.forgetGraph("g");

    assertThat(dispatcher.progress().tasks()).isZero();
    assertThatThrownBy(() -> dispatcher.progress("g")).isInstanceOf(IllegalArgumentException.class);
    assertThat(effects(dispatcher.reported("w1", TaskReport.stopped("g:t0", 1), now))).isEmpty();
    assertThat(effects(dispatcher.deleted(List.of("g:f"), now))).isEmpty();
    add(dispatcher, "g", idle(1));
    assertThat(running).containsOnlyKeys("g:t0");
  }

  @Test
  void intermediateFilesAreDeletedGraphByGraph() {
    Dispatcher dispatcher = session(FOUR_CORES);
    for (String id : List.of("tidy", "keep")) {
      Set<String> temporaries = id.equals("tidy") ? Set.of("fa", "fb") : Set.of();
      Graph graph =
          new Graph(
              id,
              Graphs.chain(),
              LIMITS,
              0,
              false,
              TaskProfiles.NONE,
              temporaries,
              Set.of(),
              List.of(),
              Set.of());
      take(dispatcher.addGraph(graph, List.of(), now));
      succeeds(dispatcher, id + ":a");
      succeeds(dispatcher, id + ":b");
    }

    List<Effect> tick = effects(dispatcher.tick(now));

    assertThat(tick)
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.DeleteFiles.class,
            gone -> {
              assertThat(gone.graph()).isEqualTo("tidy");
              assertThat(gone.files())
                  .extracting(Effect.UnneededFile::file)
                  .containsExactly("tidy:fa");
            });
  }

  @Test
  void theRecordsOfAGraphAreReadAsTheyWereWritten() throws JsonProcessingException {
    ObjectMapper json = new ObjectMapper();
    List<DispatchRecord> records =
        List.of(
            new GraphAdded("g", 2, 5),
            new GraphEnded("g", GraphEnded.Outcome.SUCCEEDED, null, 6),
            new GraphEnded("g", GraphEnded.Outcome.CANCELLED, RunFailure.cancelledRun(), 7),
            new DispatchRecord.Steered("g", "1", Steering.of(Action.PAUSE, ""), 8),
            new DispatchRecord.Steered("", "1", Steering.of(Action.PAUSE, ""), 8));

    for (DispatchRecord record : records) {
      String text = json.writerFor(DispatchRecord.class).writeValueAsString(record);
      assertThat(json.readValue(text, DispatchRecord.class)).isEqualTo(record);
    }
  }

  @Test
  void theWorkerDemandCountsAllGraphs() {
    Dispatcher dispatcher = session(WorkerSize.ONE_TASK);
    add(dispatcher, "a", idle(3));
    add(dispatcher, "b", idle(2));
    assertThat(dispatcher.workerDemand().wantedWorkers()).isEqualTo(5);

    take(dispatcher.steer("a", "1", Steering.of(Action.CANCEL, ""), now));

    assertThat(dispatcher.workerDemand().wantedWorkers()).isEqualTo(2);
  }
}
