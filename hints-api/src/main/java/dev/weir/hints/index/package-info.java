/** The index in which the rule for a path is looked up. */
@NullMarked
package dev.weir.hints.index;

import org.jspecify.annotations.NullMarked;
