package dev.weir.workflow.protocol;

/**
 * An attempt that a worker has in hand when it comes to another ApplicationMaster: one that runs,
 * one that it has ahead, or one that has ended without an ApplicationMaster having noted it.
 *
 * @param task id of the task
 * @param attempt number of the attempt
 * @param heldMillis for how long the worker has had it, in milliseconds
 * @param mayCommit whether an ApplicationMaster has let it commit, so that no other attempt may
 * @param ended whether it has ended: its report follows
 */
public record HeldAttempt(
    String task, int attempt, long heldMillis, boolean mayCommit, boolean ended) {}
