/** Where hint sets are kept: ZooKeeper, or the memory of one process. */
@NullMarked
package dev.weir.hints.store;

import org.jspecify.annotations.NullMarked;
