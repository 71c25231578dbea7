/** Benchmarks of single classes; figures and commands are in docs/benchmarks.md. */
@NullMarked
package dev.weir.bench;

import org.jspecify.annotations.NullMarked;
