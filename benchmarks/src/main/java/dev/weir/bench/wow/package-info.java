/** The comparison with WOW: its patterns and generated workflows. */
@NullMarked
package dev.weir.bench.wow;

import org.jspecify.annotations.NullMarked;
