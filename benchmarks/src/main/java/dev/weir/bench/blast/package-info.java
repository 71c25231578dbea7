/** BLAST with one database that every node reads, for several numbers of its replicas. */
@NullMarked
package dev.weir.bench.blast;

import org.jspecify.annotations.NullMarked;
