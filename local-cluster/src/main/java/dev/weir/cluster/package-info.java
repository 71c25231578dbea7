/** Real Hadoop daemons as processes of one machine: starts, stops and attaches to clusters. */
@NullMarked
package dev.weir.cluster;

import org.jspecify.annotations.NullMarked;
