/** Block placement decisions and the client file system. */
@NullMarked
package dev.weir.hdfs;

import org.jspecify.annotations.NullMarked;
