/** Access patterns of workflows on a local cluster, stock and with what Weir makes of them. */
@NullMarked
package dev.weir.bench.patterns;

import org.jspecify.annotations.NullMarked;
