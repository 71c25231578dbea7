package dev.weir.workflow.scheduler.api;

import java.util.List;

/**
 * Inputs that a further worker would read.
 *
 * @param inputs ids of the inputs of the first tasks that wait for a worker, without duplicates;
 *     empty when none waits
 * @param bytesPerSecond rate at which workers have read inputs from other nodes so far, one input
 *     at a time; 0 when too little was read to measure it
 */
public record PendingInputs(List<String> inputs, long bytesPerSecond) {

  public PendingInputs {
    inputs = List.copyOf(inputs);
  }
}
