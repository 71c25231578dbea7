/** The process in a container that runs many attempts of tasks. */
@NullMarked
package dev.weir.workflow.worker;

import org.jspecify.annotations.NullMarked;
