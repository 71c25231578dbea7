/** What the workflow runner's own work costs. */
@NullMarked
package dev.weir.bench.runner;

import org.jspecify.annotations.NullMarked;
