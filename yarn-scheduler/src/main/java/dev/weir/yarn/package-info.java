/** Asks that name files become asks that name nodes. */
@NullMarked
package dev.weir.yarn;

import org.jspecify.annotations.NullMarked;
