/** Rewrites resource requests that name files into requests that name nodes. */
@NullMarked
package dev.weir.yarn.ask;

import org.jspecify.annotations.NullMarked;
