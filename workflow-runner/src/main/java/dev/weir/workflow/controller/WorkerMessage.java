package dev.weir.workflow.controller;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.scheduler.Effect;
import java.util.Optional;

/**
 * What a worker is told.
 *
 * @param worker its id
 * @param message what
 */
public record WorkerMessage(String worker, Message message) {

  /** What a decision of the dispatcher has a worker told; empty when it is about something else. */
  public static Optional<WorkerMessage> of(Effect effect, OrderFactory orders) {
    if (effect instanceof Effect.Start start) {
      return say(start.worker(), new Message.Run(orders.order(start)));
    } else if (effect instanceof Effect.Recall recall) {
      return say(recall.worker(), new Message.Recall(recall.task(), recall.attempt()));
    } else if (effect instanceof Effect.Stop stop) {
      return say(stop.worker(), new Message.Stop(stop.task(), stop.attempt()));
    } else if (effect instanceof Effect.Permit permit) {
      return say(
          permit.worker(), new Message.Permit(permit.task(), permit.attempt(), permit.granted()));
    } else if (effect instanceof Effect.Copy copy) {
      String path = orders.path(copy.file());
      return say(copy.worker(), new Message.CopyAhead(copy.number(), path, copy.from()));
    } else if (effect instanceof Effect.Pace pace) {
      return say(pace.worker(), new Message.CopyPace(pace.number(), pace.waits()));
    } else if (effect instanceof Effect.Drop drop) {
      return orders
          .pathIfKnown(drop.file())
          .flatMap(path -> say(drop.worker(), new Message.CopyDrop(path)));
    }
    return Optional.empty();
  }

  /** Whether it lets an attempt commit that has asked. */
  boolean letsCommit() {
    return message instanceof Message.Permit permit && permit.granted();
  }

  /** The same, but an attempt that it orders does not commit without asking. */
  WorkerMessage asking() {
    return message instanceof Message.Run run
        ? new WorkerMessage(worker, new Message.Run(run.order().asking(0)))
        : this;
  }

  private static Optional<WorkerMessage> say(String worker, Message message) {
    return Optional.of(new WorkerMessage(worker, message));
  }
}
