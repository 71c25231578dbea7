/** Prepares a local cluster for each run of a demo or benchmark. */
@NullMarked
package dev.weir.cluster.experiment;

import org.jspecify.annotations.NullMarked;
