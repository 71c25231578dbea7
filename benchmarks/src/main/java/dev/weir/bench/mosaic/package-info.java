/** Mosaics of a synthetic sky with the Montage programs, in several setups. */
@NullMarked
package dev.weir.bench.mosaic;

import org.jspecify.annotations.NullMarked;
