/** Daemons: how they are started, found, probed and stopped. */
@NullMarked
package dev.weir.cluster.process;

import org.jspecify.annotations.NullMarked;
