/** BLAST with one database that every node reads. */
@NullMarked
package dev.weir.bench.blast;

import org.jspecify.annotations.NullMarked;
