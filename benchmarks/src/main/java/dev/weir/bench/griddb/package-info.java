/** The workflows of GridDB's evaluation with many simulated workers. */
@NullMarked
package dev.weir.bench.griddb;

import org.jspecify.annotations.NullMarked;
