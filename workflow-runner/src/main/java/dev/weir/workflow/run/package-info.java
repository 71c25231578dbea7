/** Starting a workflow on a cluster and following it. */
@NullMarked
package dev.weir.workflow.run;

import org.jspecify.annotations.NullMarked;
