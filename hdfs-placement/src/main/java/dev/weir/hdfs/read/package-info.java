/**
 * Reads large files from several replicas at once while this is faster. The classes here know
 * nothing of HDFS; {@code org.apache.hadoop.hdfs.AdaptiveInputStream} connects them to it.
 */
@NullMarked
package dev.weir.hdfs.read;

import org.jspecify.annotations.NullMarked;
