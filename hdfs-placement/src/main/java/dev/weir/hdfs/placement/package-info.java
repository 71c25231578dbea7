/** Decides where a block goes, over plain values without Hadoop types. */
@NullMarked
package dev.weir.hdfs.placement;

import org.jspecify.annotations.NullMarked;
