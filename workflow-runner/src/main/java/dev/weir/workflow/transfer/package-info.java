/** Moves the inputs and outputs of a task between its sandbox and a store. */
@NullMarked
package dev.weir.workflow.transfer;

import org.jspecify.annotations.NullMarked;
