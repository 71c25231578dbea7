package dev.weir.workflow.dispatch;

import java.util.List;

/** What is to be done after an event. */
public sealed interface Effect {

  /**
   * Tell a worker to make an attempt.
   *
   * @param worker id of the worker
   * @param task id of the task
   * @param attempt its number
   * @param outputs ids of the outputs to commit: those that HDFS does not hold already
   */
  record Start(String worker, String task, int attempt, List<String> outputs) implements Effect {

    /** Copies. */
    public Start {
      outputs = List.copyOf(outputs);
    }
  }

  /** All tasks are done. */
  record Succeeded() implements Effect {}

  /**
   * The run cannot succeed any more.
   *
   * @param failure why
   */
  record Failed(RunFailure failure) implements Effect {}
}
