package dev.weir.workflow.yarn;

import dev.weir.workflow.protocol.ResourceNeeds;
import org.jspecify.annotations.Nullable;

/** Keeps the number of workers, and learns their state. Thread-safe. */
public interface WorkerUpkeep {

  /** Returns what a worker is dedicated to; null if it is an ordinary one. */
  @Nullable ResourceNeeds dedication(String worker);

  /** A worker has connected. */
  void joined(String worker);

  /** A worker has completed a task. */
  void worked(String worker);

  /** A worker is lost, whichever side detected it, and must be replaced. */
  void replace(String worker, String reason);
}
