/** Opens HDFS, retries its calls and looks files up. */
@NullMarked
package dev.weir.workflow.hdfs;

import org.jspecify.annotations.NullMarked;
