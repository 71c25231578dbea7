/** Stores of hint sets: in ZooKeeper, or in memory. */
@NullMarked
package dev.weir.hints.store;

import org.jspecify.annotations.NullMarked;
