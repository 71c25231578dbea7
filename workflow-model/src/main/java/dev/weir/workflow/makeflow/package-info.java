/** Reads workflows in the make-like language of Makeflow. */
@NullMarked
package dev.weir.workflow.makeflow;

import org.jspecify.annotations.NullMarked;
