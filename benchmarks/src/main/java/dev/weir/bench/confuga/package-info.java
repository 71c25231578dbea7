/** The comparison with Confuga, which runs on the same nodes. */
@NullMarked
package dev.weir.bench.confuga;

import org.jspecify.annotations.NullMarked;
