/** Hints, rules, hint sets, path patterns and their text and JSON forms. */
@NullMarked
package dev.weir.hints;

import org.jspecify.annotations.NullMarked;
