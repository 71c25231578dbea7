/** Access patterns of workflows on a local cluster, with stock Hadoop and with Weir. */
@NullMarked
package dev.weir.bench.patterns;

import org.jspecify.annotations.NullMarked;
