/** Reads and writes the files of tasks in HDFS. */
@NullMarked
package dev.weir.workflow.store;

import org.jspecify.annotations.NullMarked;
