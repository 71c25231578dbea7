/** The hints of a run where the NameNode finds them, from before its first task to its end. */
@NullMarked
package dev.weir.workflow.hints;

import org.jspecify.annotations.NullMarked;
