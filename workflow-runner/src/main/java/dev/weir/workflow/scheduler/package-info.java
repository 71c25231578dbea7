/**
 * Decides which worker runs which task next: a state machine without threads, clocks or I/O.
 *
 * <p>The package is larger than others because the state of tasks, files and workers is package
 * private. Only the policies of this package may change it.
 */
@NullMarked
package dev.weir.workflow.scheduler;

import org.jspecify.annotations.NullMarked;
