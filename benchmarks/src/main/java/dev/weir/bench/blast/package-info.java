/** BLAST against one database on every node, for several numbers of replicas of it. */
@NullMarked
package dev.weir.bench.blast;

import org.jspecify.annotations.NullMarked;
