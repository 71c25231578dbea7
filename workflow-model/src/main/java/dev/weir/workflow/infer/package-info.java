/** Hints that follow from the shape of a workflow. */
@NullMarked
package dev.weir.workflow.infer;

import org.jspecify.annotations.NullMarked;
