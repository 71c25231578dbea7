/** The messages between ApplicationMaster, workers and node caches. */
@NullMarked
package dev.weir.workflow.protocol;

import org.jspecify.annotations.NullMarked;
