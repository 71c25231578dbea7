/** Hints, rules, hint sets, patterns, the index and the stores. */
@NullMarked
package dev.weir.hints;

import org.jspecify.annotations.NullMarked;
