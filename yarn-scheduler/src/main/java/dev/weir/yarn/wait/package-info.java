/** How long containers wait for named nodes. */
@NullMarked
package dev.weir.yarn.wait;

import org.jspecify.annotations.NullMarked;
