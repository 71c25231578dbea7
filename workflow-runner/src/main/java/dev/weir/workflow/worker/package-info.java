/** The process in a container that runs many attempts of tasks, one after the other. */
@NullMarked
package dev.weir.workflow.worker;

import org.jspecify.annotations.NullMarked;
