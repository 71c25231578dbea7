/** Which worker does which task next: a state machine without threads, clocks or input/output. */
@NullMarked
package dev.weir.workflow.scheduler;

import org.jspecify.annotations.NullMarked;
