/** What client and ApplicationMaster leave for each other in the directory of a run in HDFS. */
@NullMarked
package dev.weir.workflow.staging;

import org.jspecify.annotations.NullMarked;
