/** Infers hints from the graph of a workflow. */
@NullMarked
package dev.weir.workflow.infer;

import org.jspecify.annotations.NullMarked;
