package dev.weir.workflow.session;

import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.yarn.AwaitedWorkers;
import dev.weir.workflow.yarn.ContainerListener;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes container events to the session, and the progress to YARN. For any thread. */
public final class ContainerEvents implements ContainerListener {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerEvents.class);

  private final SessionController controller;
  private final AwaitedWorkers reconnects;
  private final BooleanSupplier begun;
  private final Consumer<String> notes;

  /**
   * Creates the listener of a session's containers.
   *
   * @param reconnects notified of ended containers, whose workers cannot reconnect
   * @param begun whether the controller answers queries
   * @param notes receives messages for the user
   */
  public ContainerEvents(
      SessionController controller,
      AwaitedWorkers reconnects,
      BooleanSupplier begun,
      Consumer<String> notes) {
    this.controller = controller;
    this.reconnects = reconnects;
    this.begun = begun;
    this.notes = notes;
  }

  @Override
  public void gone(String container, String reason) {
    reconnects.settled(container);
    controller.lost(container, reason);
  }

  @Override
  public void endedByYarn(String container, boolean preempted) {
    controller.endedByYarn(container, preempted);
  }

  @Override
  public void killedForMemory(String container, String reason) {
    controller.killedForMemory(container, reason);
  }

  @Override
  public void leaving(String node, long until) {
    controller.leaving(node, until);
  }

  @Override
  public void avoided(String note) {
    notes.accept(note);
  }

  @Override
  public void hopeless(RunFailure failure) {
    LOG.error("{}\n{}", failure.message(), failure.outputTail());
    controller.fail(failure);
  }

  @Override
  public void abandoned(String reason, @Nullable Throwable cause) {
    controller.abort(reason, cause);
  }

  @Override
  public float progress() {
    if (!begun.getAsBoolean()) {
      return 0;
    }
    Progress progress = controller.progress();
    return (float) progress.done() / Math.max(1, progress.tasks());
  }
}
