/** The local directories in which tasks run. */
@NullMarked
package dev.weir.workflow.sandbox;

import org.jspecify.annotations.NullMarked;
