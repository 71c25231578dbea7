/** The client file system that follows hints, and what it shares with the NameNode's policy. */
@NullMarked
package dev.weir.hdfs;

import org.jspecify.annotations.NullMarked;
