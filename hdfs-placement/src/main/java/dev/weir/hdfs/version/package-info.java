/**
 * The differences between Hadoop 3.3, 3.4 and 3.5. All else in this module links to any of them. A
 * test lists the members that a version lacks.
 */
@NullMarked
package dev.weir.hdfs.version;

import org.jspecify.annotations.NullMarked;
