/**
 * One file written by many at once: each writes a region of it where he is, and the regions become
 * the file without a byte being moved. {@link dev.weir.hdfs.gather.GatherClient} is the way in.
 */
@NullMarked
package dev.weir.hdfs.gather;

import org.jspecify.annotations.NullMarked;
