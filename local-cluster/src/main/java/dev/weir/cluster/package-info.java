/**
 * Real Hadoop daemons as processes of one machine. The package has more than 30 files: all of them
 * act on the plan of one cluster, which is package-private.
 */
@NullMarked
package dev.weir.cluster;

import org.jspecify.annotations.NullMarked;
