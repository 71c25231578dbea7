/** The overhead of the workflow runner. */
@NullMarked
package dev.weir.bench.runner;

import org.jspecify.annotations.NullMarked;
