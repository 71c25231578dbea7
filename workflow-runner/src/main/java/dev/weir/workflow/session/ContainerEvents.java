package dev.weir.workflow.session;

import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.scheduler.Progress;
import dev.weir.workflow.scheduler.RunFailure;
import dev.weir.workflow.yarn.AwaitedWorkers;
import dev.weir.workflow.yarn.ContainerListener;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a run what happens to its workers' containers, and YARN how far it is. For any thread. */
public final class ContainerEvents implements ContainerListener {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerEvents.class);

  private final SessionController controller;
  private final AwaitedWorkers awaited;
  private final BooleanSupplier begun;
  private final Consumer<String> notes;

  /**
   * Those of a run.
   *
   * @param awaited hears of containers that are gone: nobody comes from there
   * @param begun whether the controller answers questions by now
   * @param notes hears what the user should know
   */
  public ContainerEvents(
      SessionController controller,
      AwaitedWorkers awaited,
      BooleanSupplier begun,
      Consumer<String> notes) {
    this.controller = controller;
    this.awaited = awaited;
    this.begun = begun;
    this.notes = notes;
  }

  @Override
  public void gone(String container, String reason) {
    awaited.settled(container);
    controller.lost(container, reason);
  }

  @Override
  public void killedForMemory(String container, String reason) {
    controller.killedForMemory(container, reason);
  }

  @Override
  public void avoided(String note) {
    notes.accept(note);
  }

  @Override
  public void hopeless(RunFailure failure) {
    LOG.error("{}\n{}", failure.message(), failure.stderrTail());
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
