/**
 * The state of a session's tasks, files and workers, with the indexes that find a task for a worker
 * and a worker for a task. Nothing here decides which task goes where.
 */
@NullMarked
package dev.weir.workflow.scheduler.state;

import org.jspecify.annotations.NullMarked;
