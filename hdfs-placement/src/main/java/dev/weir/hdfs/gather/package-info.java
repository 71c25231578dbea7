/**
 * Files with many concurrent writers: each writes a region on its own node, and HDFS joins the
 * regions without copying. The entry point is {@link dev.weir.hdfs.gather.GatherClient}.
 */
@NullMarked
package dev.weir.hdfs.gather;

import org.jspecify.annotations.NullMarked;
