/** Reads of large files from one replica and from several. */
@NullMarked
package dev.weir.bench.reads;

import org.jspecify.annotations.NullMarked;
