/** Disks of limited rate for the DataNodes of a local cluster. */
@NullMarked
package dev.weir.bench.disks;

import org.jspecify.annotations.NullMarked;
