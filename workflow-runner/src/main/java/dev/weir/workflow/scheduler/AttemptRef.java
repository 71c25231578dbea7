package dev.weir.workflow.scheduler;

/**
 * An attempt that a worker makes at a task.
 *
 * @param worker who makes it
 * @param attempt its number
 * @param dispatchedMillis when the worker was told of it
 * @param begunMillis when the worker had room for it, as far as is known
 * @param stopping whether it was told to stop, and has not said yet that it has
 */
record AttemptRef(
    WorkerState worker, int attempt, long dispatchedMillis, long begunMillis, boolean stopping) {}
