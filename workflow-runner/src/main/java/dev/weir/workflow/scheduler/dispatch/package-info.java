/**
 * Decides which worker runs which task: by one score, and by estimates of when a task could start.
 * The classes read the state; {@link dev.weir.workflow.scheduler.state.Assignments} changes it.
 */
@NullMarked
package dev.weir.workflow.scheduler.dispatch;

import org.jspecify.annotations.NullMarked;
