/**
 * Benchmarks of single classes; figures and commands are in docs/benchmarks-runner.md and
 * docs/benchmarks-plugins.md.
 */
@NullMarked
package dev.weir.bench;

import org.jspecify.annotations.NullMarked;
