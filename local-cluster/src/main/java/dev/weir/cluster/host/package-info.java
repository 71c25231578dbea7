/** The two kinds of nodes: network namespaces and loopback addresses. */
@NullMarked
package dev.weir.cluster.host;

import org.jspecify.annotations.NullMarked;
