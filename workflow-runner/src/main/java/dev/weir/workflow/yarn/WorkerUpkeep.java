package dev.weir.workflow.yarn;

/** Keeps the number of workers, and learns their state. Thread-safe. */
public interface WorkerUpkeep {

  /** A worker has connected. */
  void joined(String worker);

  /** A worker has completed a task. */
  void worked(String worker);

  /** A worker is lost, whichever side detected it, and must be replaced. */
  void replace(String worker, String reason);
}
