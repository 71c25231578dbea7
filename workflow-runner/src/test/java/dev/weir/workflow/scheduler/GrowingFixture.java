package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Starts.starts;

import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.GivenUp;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.List;

/** A graph that grows, workers of one task each, and a journal, for tests. */
abstract class GrowingFixture {

  static final WorkerInfo ON_N1 = new WorkerInfo("w1", "n1", "/r");
  static final WorkerInfo ON_N2 = new WorkerInfo("w2", "n2", "/r");

  final List<DispatchRecord> journal = new ArrayList<>();
  final Dispatcher growing = growing(WorkerSize.ONE_TASK);
  final Dispatcher dispatcher = growing;
  long now = 1_000;

  static Dispatcher growing(WorkerSize size) {
    return Dispatchers.of(AssignmentPolicy.DATA_AWARE, new Limits(3, 4), size);
  }

  List<Effect> effects(Step step) {
    journal.addAll(step.records());
    return step.effects();
  }

  /** The first attempt that starts in a step. */
  Effect.Start start(Step step) {
    effects(step);
    return starts(step).stream().findFirst().orElseThrow();
  }

  List<GivenUp> givenUp() {
    return journal.stream().filter(GivenUp.class::isInstance).map(GivenUp.class::cast).toList();
  }

  /** With one worker, on n1. */
  void begin() {
    effects(dispatcher.start(now));
    effects(dispatcher.workerJoined(ON_N1, now));
  }
}
