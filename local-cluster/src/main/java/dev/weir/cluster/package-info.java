/** Real Hadoop daemons as processes of one machine. */
@NullMarked
package dev.weir.cluster;

import org.jspecify.annotations.NullMarked;
