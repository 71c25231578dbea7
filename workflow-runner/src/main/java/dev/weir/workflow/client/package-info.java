/** Starts runs and sessions on a cluster, awaits and steers them. */
@NullMarked
package dev.weir.workflow.client;

import org.jspecify.annotations.NullMarked;
