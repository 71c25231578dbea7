package dev.weir.workflow.yarn;

import dev.weir.workflow.scheduler.RunFailure;
import org.jspecify.annotations.Nullable;

/** Who hears of trouble with workers' containers. Any thread may tell it. */
public interface ContainerListener {

  /** A container is gone. */
  void gone(String container, String reason);

  /** A container that is gone was killed for the memory of what ran in it. */
  void killedForMemory(String container, String reason);

  /** A node gets no more containers for a while, as the note says. */
  void avoided(String note);

  /** No worker is left, and containers end as often as they are asked for. */
  void hopeless(RunFailure failure);

  /**
   * YARN wants this ApplicationMaster to stop, or is gone.
   *
   * @param cause what went wrong here; null for nothing
   */
  void abandoned(String reason, @Nullable Throwable cause);

  /** Between 0 and 1. */
  float progress();
}
