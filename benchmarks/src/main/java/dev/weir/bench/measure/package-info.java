/** Prepares runs of experiments and measures them. */
@NullMarked
package dev.weir.bench.measure;

import org.jspecify.annotations.NullMarked;
