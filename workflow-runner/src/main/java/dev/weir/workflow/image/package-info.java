/** Runs the commands of tasks in containers. */
@NullMarked
package dev.weir.workflow.image;

import org.jspecify.annotations.NullMarked;
