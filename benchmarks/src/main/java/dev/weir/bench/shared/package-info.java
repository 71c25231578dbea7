/** Runs workflows without Hadoop whose files are on one server. */
@NullMarked
package dev.weir.bench.shared;

import org.jspecify.annotations.NullMarked;
