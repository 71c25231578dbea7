/** How long containers wait for named nodes, and what the queue reserves for them meanwhile. */
@NullMarked
package dev.weir.yarn.wait;

import org.jspecify.annotations.NullMarked;
