/**
 * Files that many writers write at once: each writes a region on its own node, and the regions
 * become the file without moving a byte. The entry point is {@link
 * dev.weir.hdfs.gather.GatherClient}.
 */
@NullMarked
package dev.weir.hdfs.gather;

import org.jspecify.annotations.NullMarked;
