/** Requests to YARN with and without Weir. */
@NullMarked
package dev.weir.bench.yarn;

import org.jspecify.annotations.NullMarked;
