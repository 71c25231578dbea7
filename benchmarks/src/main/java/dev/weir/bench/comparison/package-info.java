/** Whole workflows, of real programs or as they were recorded, on a local cluster, in turns. */
@NullMarked
package dev.weir.bench.comparison;

import org.jspecify.annotations.NullMarked;
