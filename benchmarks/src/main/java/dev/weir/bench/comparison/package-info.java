/** Whole workflows, with real programs or as recorded, in several setups on a local cluster. */
@NullMarked
package dev.weir.bench.comparison;

import org.jspecify.annotations.NullMarked;
