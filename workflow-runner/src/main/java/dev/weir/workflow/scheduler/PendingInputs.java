package dev.weir.workflow.scheduler;

import java.util.List;

/**
 * What a further worker would have to do.
 *
 * @param inputs ids of files that the first of the tasks read that wait for a worker, each once;
 *     empty when none waits
 * @param bytesPerSecond how fast workers have read inputs from other nodes so far, one input at a
 *     time; 0 when too little was read to tell
 */
public record PendingInputs(List<String> inputs, long bytesPerSecond) {

  /** Copies. */
  public PendingInputs {
    inputs = List.copyOf(inputs);
  }
}
