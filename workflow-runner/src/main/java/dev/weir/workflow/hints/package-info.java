/** Publishes the hints of a run for the NameNode, from before its first task to its end. */
@NullMarked
package dev.weir.workflow.hints;

import org.jspecify.annotations.NullMarked;
