/** What demos and benchmarks do to a local cluster before each run. */
@NullMarked
package dev.weir.cluster.experiment;

import org.jspecify.annotations.NullMarked;
