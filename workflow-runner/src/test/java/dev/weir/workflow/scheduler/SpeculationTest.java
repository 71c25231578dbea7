package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;
import static dev.weir.workflow.scheduler.Starts.starts;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Second copies of stragglers: when they start, and which attempt commits. */
class SpeculationTest {

  private static final int TASKS = 6;

  private final List<DispatchRecord> journal = new ArrayList<>();
  private final Map<String, Effect.Start> assignments = new HashMap<>();
  private List<Effect> effects = List.of();
  private Dispatcher dispatcher;
  private long now = 1_000_000;

  @BeforeEach
  void start() {
    begin(new Limits(3, 10), true, Map.of(), TaskNeeds.UNKNOWN);
  }

  private void begin(Limits limits, boolean speculate) {
    begin(limits, speculate, Map.of());
  }

  /** With an input that all tasks read. */
  private void begin(Limits limits, boolean speculate, Map<String, Long> bytesByHost) {
    begin(limits, speculate, bytesByHost, TaskNeeds.UNKNOWN);
  }

  private void begin(
      Limits limits, boolean speculate, Map<String, Long> bytesByHost, TaskNeeds needs) {
    assignments.clear();
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      tasks.add(task("t" + i, List.of("in"), List.of("f" + i)).withNeeds(needs));
    }
    dispatcher = Dispatchers.of(Graphs.of(tasks), AssignmentPolicy.DATA_AWARE, limits);
    dispatcher.speculate(speculate);
    dispatcher.locate("in", bytesByHost);
    apply(dispatcher.start(now));
    for (int i = 1; i <= 3; i++) {
      apply(dispatcher.workerJoined(new WorkerInfo("w" + i, "n" + i, "/r"), now));
    }
  }

  private void apply(Step step) {
    journal.addAll(step.records());
    effects = step.effects();
    for (Effect effect : effects) {
      if (effect instanceof Effect.Start start) {
        assignments.put(start.worker(), start);
      }
    }
  }

  private Effect.Start assigned(String worker) {
    return requireNonNull(assignments.get(worker), worker + " has no attempt");
  }

  private void pass(int seconds) {
    now += TimeUnit.SECONDS.toMillis(seconds);
    apply(dispatcher.tick(now));
  }

  private void report(String worker, TaskReport report) {
    apply(dispatcher.reported(worker, report, now));
  }

  private void succeed(String worker) {
    Effect.Start start = assigned(worker);
    assignments.remove(worker);
    report(worker, Reports.took(Reports.succeeded(start, "n" + worker.charAt(1), 1), 5_000));
  }

  /** Ends all tasks but that of the first worker, after five seconds each. */
  private void allButOne() {
    for (int i = 0; i < TASKS; i++) {
      now += TimeUnit.SECONDS.toMillis(1);
      String worker = i % 2 == 0 ? "w2" : "w3";
      if (assignments.containsKey(worker)) {
        succeed(worker);
      }
    }
    assertThat(assignments).as("one task is left").containsOnlyKeys("w1");
  }

  private Effect.Start copy() {
    pass(60);
    Effect.Start copy = assigned(assignments.containsKey("w2") ? "w2" : "w3");
    assertThat(copy.copy()).isTrue();
    return copy;
  }

  private boolean mayCommit(String worker, Effect.Start start) {
    apply(dispatcher.mayCommit(worker, start.task(), start.attempt(), now));
    return effects.contains(new Effect.Permit(worker, start.task(), start.attempt(), true));
  }

  @Test
  void noCopyStartsWhileTasksAreReady() {
    succeed("w2");
    succeed("w2");
    succeed("w2");
    now += TimeUnit.HOURS.toMillis(1);

    apply(dispatcher.tick(now));

    assertThat(effects).isEmpty();
  }

  @Test
  void aStragglerHasOneCopyOnAnotherNode() {
    allButOne();
    pass(1);
    assertThat(effects).as("not late enough").isEmpty();

    Effect.Start copy = copy();

    assertThat(copy.task()).isEqualTo(assigned("w1").task());
    assertThat(copy.attempt()).isEqualTo(2);
    assertThat(copy.outputs()).isEqualTo(assigned("w1").outputs());
    pass(3_600);
    assertThat(effects).as("one copy is enough").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "3"})
  void theCopyGoesToTheNodeWithTheInput(String node) {
    begin(new Limits(3, 10), true, Map.of("n1", 1L, "n" + node, 1L));
    allButOne();

    assertThat(copy().worker()).isEqualTo("w" + node);
  }

  @Test
  void noCopyStartsWhenSwitchedOff() {
    begin(new Limits(3, 10), false);
    allButOne();

    pass(3_600);

    assertThat(effects).isEmpty();
  }

  @Test
  void aTaskThatIsNotIdempotentHasNoCopy() {
    begin(new Limits(3, 10), true, Map.of(), new TaskNeeds(0, 0, 0, 0, true));
    allButOne();

    pass(600);

    assertThat(effects).isEmpty();
  }

  @Test
  void aTypeWithTooFewSamplesHasNoCopies() {
    Dispatcher two =
        Dispatchers.of(
            Graphs.of(task("a", List.of(), List.of()), task("b", List.of(), List.of())),
            AssignmentPolicy.FIFO,
            Limits.DEFAULT);
    two.speculate(true);
    two.start(now);
    two.workerJoined(new WorkerInfo("w1", "n1", "/r"), now);
    Effect.Start b =
        (Effect.Start) two.workerJoined(new WorkerInfo("w2", "n2", "/r"), now).effects().get(0);
    two.reported("w2", Reports.succeeded(b, "n2", 0), now);

    assertThat(two.tick(now + TimeUnit.HOURS.toMillis(1)).effects()).isEmpty();
  }

  @Test
  void aFasterCopyCommitsAndTheOtherIsStopped() {
    allButOne();
    Effect.Start copy = copy();
    Effect.Start first = assigned("w1");

    assertThat(mayCommit(copy.worker(), copy)).isTrue();
    assertThat(effects).contains(new Effect.Stop("w1", first.task(), first.attempt()));
    assertThat(mayCommit("w1", first)).as("comes second").isFalse();
    report("w1", TaskReport.stopped(first.task(), first.attempt()));
    assertThat(effects).as("it is not begun again").isEmpty();
    succeed(copy.worker());

    assertThat(effects).singleElement().isInstanceOf(Effect.Check.class);
    assertThat(dispatcher.progress().done()).isEqualTo(TASKS);
    assertThat(results(copy.task())).containsExactly(Result.STOPPED, Result.SUCCEEDED);
    assertThat(dispatcher.progress().failedAttempts()).isZero();
  }

  private List<Result> results(String task) {
    return journal.stream()
        .filter(record -> record instanceof AttemptEnded)
        .map(record -> ((AttemptEnded) record).report())
        .filter(report -> report.task().equals(task))
        .map(TaskReport::result)
        .toList();
  }

  @Test
  void aFasterFirstAttemptCommitsAndTheCopyIsStopped() {
    allButOne();
    Effect.Start copy = copy();
    Effect.Start first = assigned("w1");

    assertThat(mayCommit("w1", first)).isTrue();
    assertThat(effects).contains(new Effect.Stop(copy.worker(), copy.task(), copy.attempt()));
    assertThat(mayCommit(copy.worker(), copy)).isFalse();
    succeed("w1");
    report(copy.worker(), TaskReport.stopped(copy.task(), copy.attempt()));

    assertThat(dispatcher.progress().done()).isEqualTo(TASKS);
  }

  @Test
  void whenOneOfTwoIsLostTheOtherContinues() {
    allButOne();
    Effect.Start copy = copy();

    apply(dispatcher.workerLost("w1", "dead", now));
    assertThat(effects).noneMatch(effect -> effect instanceof Effect.Start);
    assertThat(mayCommit(copy.worker(), copy)).isTrue();
    succeed(copy.worker());

    assertThat(dispatcher.progress().done()).isEqualTo(TASKS);
  }

  @Test
  void whenTheCopyFailsTheFirstAttemptContinues() {
    allButOne();
    Effect.Start copy = copy();

    report(copy.worker(), Reports.failed(copy, 1));
    assertThat(effects).isEmpty();
    assertThat(mayCommit("w1", assigned("w1"))).isTrue();
    succeed("w1");

    assertThat(dispatcher.progress().done()).isEqualTo(TASKS);
  }

  @Test
  void whenTheCommittingAttemptIsLostTheTaskIsRetried() {
    allButOne();
    Effect.Start copy = copy();
    Effect.Start first = assigned("w1");
    assertThat(mayCommit(copy.worker(), copy)).isTrue();

    apply(dispatcher.workerLost(copy.worker(), "dead", now));

    Effect.Start again = starts(effects).get(0);
    assertThat(again.attempt()).isEqualTo(3);
    assertThat(again.worker()).as("the stopped one is still there").isNotEqualTo("w1");
    assertThat(mayCommit("w1", first)).as("it is being stopped").isFalse();
  }

  @Test
  void bothAttemptsAtACancelledTaskAreStopped() {
    allButOne();
    Effect.Start copy = copy();

    apply(dispatcher.steer("", "x", Steering.of(Steering.Action.CANCEL, copy.task()), now));

    assertThat(effects)
        .contains(
            new Effect.Stop("w1", copy.task(), 1),
            new Effect.Stop(copy.worker(), copy.task(), copy.attempt()));
    assertThat(mayCommit(copy.worker(), copy)).isFalse();
  }

  @Test
  void anUnknownAttemptMayNotCommit() {
    assertThat(mayCommit("w9", assigned("w1"))).isFalse();
    assertThat(mayCommit("w2", assigned("w1"))).isFalse();
  }
}
