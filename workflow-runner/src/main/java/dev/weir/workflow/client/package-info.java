/** Starting runs and sessions on a cluster, following and steering them. */
@NullMarked
package dev.weir.workflow.client;

import org.jspecify.annotations.NullMarked;
