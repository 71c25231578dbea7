/** Finds out on which hosts files are, without blocking the scheduler. */
@NullMarked
package dev.weir.yarn.lookup;

import org.jspecify.annotations.NullMarked;
