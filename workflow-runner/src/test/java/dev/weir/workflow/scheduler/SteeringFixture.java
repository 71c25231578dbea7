package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.List;

/** Two workers, steering requests, and a journal, for tests. */
abstract class SteeringFixture {

  static final WorkerInfo W1 = new WorkerInfo("w1", "n1", "/r");
  static final WorkerInfo W2 = new WorkerInfo("w2", "n2", "/r");
  static final Limits ONE_TRY = new Limits(1, 10);
  static final WorkerSize TWO_AHEAD = new WorkerSize(1, 1L << 40, 2);

  final List<DispatchRecord> journal = new ArrayList<>();
  long now = 1_000;
  private int steeringRequests;

  Dispatcher begun(Workflow workflow, Limits limits, WorkerSize size) {
    Dispatcher dispatcher = Dispatchers.of(workflow, AssignmentPolicy.DATA_AWARE, limits, size);
    dispatcher.start(now);
    return dispatcher;
  }

  List<Effect> effects(Step step) {
    journal.addAll(step.records());
    return step.effects();
  }

  List<Effect> steer(Dispatcher dispatcher, Action action, String tasks) {
    return effects(
        dispatcher.steer("", "request" + steeringRequests++, Steering.of(action, tasks), now));
  }

  List<Effect> succeed(Dispatcher dispatcher, Effect.Start start) {
    String node = start.worker().equals("w1") ? "n1" : "n2";
    return effects(dispatcher.reported(start.worker(), Reports.succeeded(start, node, 9), now));
  }

  /** The only attempt that starts. */
  static Effect.Start start(List<Effect> effects) {
    assertThat(starts(effects)).hasSize(1);
    return starts(effects).get(0);
  }

  static SteeringAnswer answer(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Answer.class::isInstance)
        .map(effect -> ((Effect.Answer) effect).answer())
        .findFirst()
        .orElseThrow();
  }
}
