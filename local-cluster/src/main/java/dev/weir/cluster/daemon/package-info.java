/** The main classes of a local cluster's daemons. They are started by name and never called. */
@NullMarked
package dev.weir.cluster.daemon;

import org.jspecify.annotations.NullMarked;
