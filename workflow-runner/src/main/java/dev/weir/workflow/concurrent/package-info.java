/** Threads, deadlines and clocks that an ApplicationMaster uses. */
@NullMarked
package dev.weir.workflow.concurrent;

import org.jspecify.annotations.NullMarked;
