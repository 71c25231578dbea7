/** Hosts of nodes, with the processes and the links that each kind of host gives them. */
@NullMarked
package dev.weir.cluster.host;

import org.jspecify.annotations.NullMarked;
