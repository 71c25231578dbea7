/** The YARN ApplicationMaster of a run: the dispatcher with the cluster around it. */
@NullMarked
package dev.weir.workflow.session;

import org.jspecify.annotations.NullMarked;
