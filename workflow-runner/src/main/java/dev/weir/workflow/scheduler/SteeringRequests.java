package dev.weir.workflow.scheduler;

/** What people wish of a run: each wish is followed once and answered. Not thread-safe. */
final class SteeringRequests {

  /** The answer to wishes about a run that has ended. */
  static final SteeringAnswer TOO_LATE = new SteeringAnswer(0, "too late: the run is ending");

  private final WorkflowState board;
  private final StepBuilder turn;
  private final SteeringHandler helm;
  private final CompletionPolicy finish;

  SteeringRequests(SchedulerContext scene, SteeringHandler helm, CompletionPolicy finish) {
    this.board = scene.board();
    this.turn = scene.turn();
    this.helm = helm;
    this.finish = finish;
  }

  /** Somebody wishes something. */
  void steer(String id, Steering wish) {
    SteeringAnswer answer;
    if (helm.knows(id)) {
      answer = new SteeringAnswer(0, "followed before");
    } else if (finish.isOver()) {
      answer = TOO_LATE;
    } else {
      answer = follow(id, wish);
      // Also when nothing was done: followed after a restart it might undo what came later.
      turn.record(new DispatchRecord.Steered(board.id, id, wish, turn.now()));
    }
    turn.effect(new Effect.Answer(board.id, id, answer));
  }

  /** A wish was followed before this dispatcher began. */
  void replay(DispatchRecord.Steered steered) {
    turn.begin(steered.millis());
    follow(steered.id(), steered.wish());
  }

  private SteeringAnswer follow(String id, Steering wish) {
    if (wish.action() == Steering.Action.CANCEL && wish.tasks().isEmpty()) {
      if (board.grows) {
        int cancelled = helm.cancelAll();
        return new SteeringAnswer(cancelled, SteeringHandler.answer(wish.action(), cancelled));
      }
      finish.fail(RunFailure.cancelledRun());
      return new SteeringAnswer(board.size() - board.done(), "the run ends");
    }
    int tasks = helm.follow(id, wish, turn.now());
    String text =
        tasks > 0 || wish.tasks().isEmpty()
            ? SteeringHandler.answer(wish.action(), tasks)
            : "nothing to do: no task that this could be about is named '" + wish.tasks() + "'";
    return new SteeringAnswer(tasks, text);
  }
}
