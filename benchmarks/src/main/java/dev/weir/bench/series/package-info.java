/** Runs of one workflow in several setups, in turns, and what is told of them. */
@NullMarked
package dev.weir.bench.series;

import org.jspecify.annotations.NullMarked;
