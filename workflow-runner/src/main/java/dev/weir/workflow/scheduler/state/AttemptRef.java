package dev.weir.workflow.scheduler.state;

/**
 * An attempt that a worker has.
 *
 * @param dispatchedMillis when it was assigned, in milliseconds since the epoch
 * @param begunMillis when the worker had room for it, as far as is known
 * @param stopping whether the worker was told to stop it and has not yet reported its end
 */
public record AttemptRef(
    WorkerState worker, int attempt, long dispatchedMillis, long begunMillis, boolean stopping) {}
