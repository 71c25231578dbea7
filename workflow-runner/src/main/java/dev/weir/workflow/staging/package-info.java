/** The files that client and ApplicationMaster exchange in the HDFS directory of a run. */
@NullMarked
package dev.weir.workflow.staging;

import org.jspecify.annotations.NullMarked;
