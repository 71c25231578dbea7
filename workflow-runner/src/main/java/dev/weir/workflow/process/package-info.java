/** The processes of a task: how they are started, measured, limited and killed. */
@NullMarked
package dev.weir.workflow.process;

import org.jspecify.annotations.NullMarked;
