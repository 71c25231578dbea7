/** The key figures of a workflow. */
@NullMarked
package dev.weir.workflow.shape;

import org.jspecify.annotations.NullMarked;
