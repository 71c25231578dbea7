/**
 * The plugin of Nextflow: the executor {@code weir}, which gives tasks to a session, and paths that
 * begin with {@code hdfs:}.
 */
@NullMarked
package dev.weir.nextflow;

import org.jspecify.annotations.NullMarked;
