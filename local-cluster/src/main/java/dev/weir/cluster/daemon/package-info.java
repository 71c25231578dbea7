/** What runs inside the daemons of a local cluster; started by name, never called. */
@NullMarked
package dev.weir.cluster.daemon;

import org.jspecify.annotations.NullMarked;
