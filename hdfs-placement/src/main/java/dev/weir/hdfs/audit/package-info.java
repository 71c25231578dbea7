/** Counts how often files are opened and written, in the NameNode. */
@NullMarked
package dev.weir.hdfs.audit;

import org.jspecify.annotations.NullMarked;
