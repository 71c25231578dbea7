/** Where a block goes: decisions over plain values, and what the policy needs around them. */
@NullMarked
package dev.weir.hdfs.placement;

import org.jspecify.annotations.NullMarked;
