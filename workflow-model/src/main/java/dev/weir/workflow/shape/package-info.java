/** What a workflow looks like from afar. */
@NullMarked
package dev.weir.workflow.shape;

import org.jspecify.annotations.NullMarked;
