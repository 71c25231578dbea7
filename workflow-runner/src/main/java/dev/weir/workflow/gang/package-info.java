/** Tasks that run in several containers at once, such as MPI programs. */
@NullMarked
package dev.weir.workflow.gang;

import org.jspecify.annotations.NullMarked;
