/** Series of runs in several setups: their order, their storage and their parameters. */
@NullMarked
package dev.weir.bench.series;

import org.jspecify.annotations.NullMarked;
