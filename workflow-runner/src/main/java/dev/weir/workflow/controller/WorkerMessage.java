package dev.weir.workflow.controller;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.scheduler.api.Effect;
import java.util.Optional;

/** A message to a worker. */
public record WorkerMessage(String worker, Message message) {

  /** Returns the message that an effect sends to a worker; empty for other effects. */
  public static Optional<WorkerMessage> of(Effect effect, OrderFactory orders) {
    if (effect instanceof Effect.Start start) {
      return toWorker(start.worker(), new Message.Run(orders.order(start)));
    } else if (effect instanceof Effect.Recall recall) {
      return toWorker(recall.worker(), new Message.Recall(recall.task(), recall.attempt()));
    } else if (effect instanceof Effect.Stop stop) {
      return toWorker(stop.worker(), new Message.Stop(stop.task(), stop.attempt()));
    } else if (effect instanceof Effect.Permit permit) {
      return toWorker(
          permit.worker(), new Message.Permit(permit.task(), permit.attempt(), permit.granted()));
    } else if (effect instanceof Effect.DropStored drop) {
      return orders
          .pathIfKnown(drop.file())
          .flatMap(path -> toWorker(drop.worker(), new Message.StoreDrop(path, drop.content())));
    }
    if (effect instanceof Effect.PermitWriteBack permit) {
      return toWorker(
          permit.worker(),
          new Message.PermitWriteBack(permit.file(), permit.nodeMillis(), permit.granted()));
    }
    return writeBack(effect, orders);
  }

  private static Optional<WorkerMessage> writeBack(Effect effect, OrderFactory orders) {
    return effect instanceof Effect.WriteBack copy
        ? orders
            .pathIfKnown(copy.file())
            .flatMap(
                path ->
                    toWorker(
                        copy.worker(),
                        new Message.WriteBack(
                            copy.file(),
                            path,
                            temporary(copy, orders),
                            copy.content(),
                            copy.urgent())))
        : Optional.empty();
  }

  /** A lost worker may still write while another one of its node has the same order. */
  private static String temporary(Effect.WriteBack copy, OrderFactory orders) {
    String worker = copy.worker();
    return orders.temporaryPath(copy.file()) + "-" + worker.substring(worker.lastIndexOf('_') + 1);
  }

  /** Whether the message permits a commit. */
  boolean letsCommit() {
    return (message instanceof Message.Permit permit && permit.granted())
        || (message instanceof Message.PermitWriteBack copy && copy.granted());
  }

  /** Returns the message in a form that makes an ordered attempt ask before it commits. */
  WorkerMessage withCommitQuestion() {
    return message instanceof Message.Run run
        ? new WorkerMessage(worker, new Message.Run(run.order().asking(0)))
        : this;
  }

  private static Optional<WorkerMessage> toWorker(String worker, Message message) {
    return Optional.of(new WorkerMessage(worker, message));
  }
}
