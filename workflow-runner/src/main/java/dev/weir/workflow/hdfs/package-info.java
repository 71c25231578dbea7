/** How the runner opens HDFS, retries its calls and finds out what is there. */
@NullMarked
package dev.weir.workflow.hdfs;

import org.jspecify.annotations.NullMarked;
