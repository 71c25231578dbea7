package dev.weir.workflow.yarn;

/** Who sees to it that there are workers, and hears how they fare. Any thread may tell it. */
public interface WorkerUpkeep {

  /** A worker has come. */
  void joined(String worker);

  /** A worker has done a task. */
  void worked(String worker);

  /** A worker is gone, whoever saw it first: it is to be replaced. */
  void giveUp(String worker, String reason);
}
