/** Starts, measures, limits and kills the processes of a task. */
@NullMarked
package dev.weir.workflow.process;

import org.jspecify.annotations.NullMarked;
