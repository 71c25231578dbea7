/** Locations of files, the best nodes for them, and explanations. */
@NullMarked
package dev.weir.service.locate;

import org.jspecify.annotations.NullMarked;
