/** What experiments do around a run and measure during it. */
@NullMarked
package dev.weir.bench.measure;

import org.jspecify.annotations.NullMarked;
