/** The DataNodes of a cluster, as reported by the NameNode. */
@NullMarked
package dev.weir.service.locate.nodes;

import org.jspecify.annotations.NullMarked;
