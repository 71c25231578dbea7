/** Changes to workflows that measurements need. */
@NullMarked
package dev.weir.bench.workload;

import org.jspecify.annotations.NullMarked;
