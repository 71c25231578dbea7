/** Finds tasks that earlier runs have done and that need not be run again. */
@NullMarked
package dev.weir.workflow.reuse;

import org.jspecify.annotations.NullMarked;
