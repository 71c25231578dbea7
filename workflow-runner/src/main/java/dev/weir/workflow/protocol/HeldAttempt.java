package dev.weir.workflow.protocol;

/**
 * An attempt that a worker holds when it connects to another ApplicationMaster. The attempt runs,
 * is queued, or has ended without an acknowledgement by an ApplicationMaster.
 *
 * @param mayCommit whether an ApplicationMaster has permitted it to commit, so that no other
 *     attempt may
 * @param ended whether it has ended; its report follows
 */
public record HeldAttempt(
    String task, int attempt, long heldMillis, boolean mayCommit, boolean ended) {}
