/** The commands that start, watch, use and stop clusters of this machine. */
@NullMarked
package dev.weir.cli.cluster;

import org.jspecify.annotations.NullMarked;
