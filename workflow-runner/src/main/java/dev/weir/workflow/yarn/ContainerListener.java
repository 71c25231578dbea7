package dev.weir.workflow.yarn;

import dev.weir.workflow.scheduler.api.RunFailure;
import org.jspecify.annotations.Nullable;

/** Receives events of workers' containers. Thread-safe. */
public interface ContainerListener {

  /** A container is lost. */
  void gone(String container, String reason);

  /**
   * YARN has ended a container for reasons of its own, which costs its tasks no try.
   *
   * @param preempted whether its tasks cannot be the cause
   */
  void endedByYarn(String container, boolean preempted);

  /** A lost container was killed because its processes exceeded its memory. */
  void killedForMemory(String container, String reason);

  /**
   * YARN takes a node or its containers back.
   *
   * @param until the end of it, in milliseconds since the epoch; 0 when the node stays
   */
  void leaving(String node, long until);

  /** A node gets no more containers for a while, as the note says. */
  void avoided(String note);

  /** No worker is left, and requested containers keep ending. */
  void hopeless(RunFailure failure);

  /**
   * YARN asks this ApplicationMaster to stop, or the ResourceManager is lost.
   *
   * @param cause the local failure; null for none
   */
  void abandoned(String reason, @Nullable Throwable cause);

  /** Returns the progress, between 0 and 1. */
  float progress();
}
