/**
 * The dispatcher of a session: a state machine without threads, clocks or I/O. Each event returns
 * records for the journal and effects to carry out; replaying the records restores the state.
 *
 * <p>An event changes tasks, files and workers ({@code state}). Then {@link
 * dev.weir.workflow.scheduler.AssignmentRound} asks the policies ({@code dispatch}) which tasks go
 * to which workers. Callers use {@link dev.weir.workflow.scheduler.Dispatcher}, its parts, and the
 * types of {@code api}.
 */
@NullMarked
package dev.weir.workflow.scheduler;

import org.jspecify.annotations.NullMarked;
