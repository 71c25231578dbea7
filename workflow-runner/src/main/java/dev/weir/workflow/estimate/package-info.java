/** Estimates of what a run takes, by a simulation of the dispatcher and of the nodes' links. */
@NullMarked
package dev.weir.workflow.estimate;

import org.jspecify.annotations.NullMarked;
