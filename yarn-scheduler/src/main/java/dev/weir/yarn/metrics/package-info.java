/** Counters of the ResourceManager's plugin. */
@NullMarked
package dev.weir.yarn.metrics;

import org.jspecify.annotations.NullMarked;
