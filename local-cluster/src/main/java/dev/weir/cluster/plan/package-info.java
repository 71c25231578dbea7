/** The specification, layout, files and prerequisites of a cluster. */
@NullMarked
package dev.weir.cluster.plan;

import org.jspecify.annotations.NullMarked;
