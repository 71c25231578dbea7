package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.scheduler.state.StepBuilder;
import dev.weir.workflow.scheduler.state.WorkflowState;

/** Applies each steering request of a graph once, and answers it. Not thread-safe. */
final class SteeringRequests {

  /** The answer to requests about a run that has ended. */
  static final SteeringAnswer TOO_LATE = new SteeringAnswer(0, "too late: the run is ending");

  private final WorkflowState graph;
  private final StepBuilder stepBuilder;
  private final SteeringHandler steering;
  private final GraphCompletion graphCompletion;

  SteeringRequests(WorkflowState graph, SteeringHandler steering, GraphCompletion graphCompletion) {
    this.graph = graph;
    this.stepBuilder = graph.session().stepBuilder();
    this.steering = steering;
    this.graphCompletion = graphCompletion;
  }

  /** Applies a request, unless it was applied before. */
  void steer(String id, Steering request) {
    SteeringAnswer answer;
    if (steering.wasApplied(id)) {
      answer = new SteeringAnswer(0, "already applied");
    } else if (graph.isOver()) {
      answer = TOO_LATE;
    } else {
      answer = apply(id, request);
      // Recorded also when no task matched: applied after a restart, it might undo later requests.
      stepBuilder.record(new DispatchRecord.Steered(graph.id(), id, request, stepBuilder.now()));
    }
    stepBuilder.effect(new Effect.Answer(graph.id(), id, answer));
  }

  /** Replays a request that an earlier dispatcher applied. */
  void replay(DispatchRecord.Steered steered) {
    stepBuilder.begin(steered.millis());
    apply(steered.id(), steered.wish());
  }

  private SteeringAnswer apply(String id, Steering request) {
    if (request.action() == Steering.Action.CANCEL && request.tasks().isEmpty()) {
      if (graph.grows()) {
        int cancelled = steering.cancelAll();
        return new SteeringAnswer(cancelled, SteeringHandler.answer(request.action(), cancelled));
      }
      graphCompletion.fail(RunFailure.cancelledRun());
      return new SteeringAnswer(graph.size() - graph.done(), "the run ends");
    }
    int tasks = steering.apply(id, request, stepBuilder.now());
    String text =
        tasks > 0 || request.tasks().isEmpty()
            ? SteeringHandler.answer(request.action(), tasks)
            : "nothing to do: no task to which this applies is named '" + request.tasks() + "'";
    return new SteeringAnswer(tasks, text);
  }
}
