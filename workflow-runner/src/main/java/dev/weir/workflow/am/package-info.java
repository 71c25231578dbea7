/** The YARN ApplicationMaster of a run: the dispatcher with the cluster around it. */
@NullMarked
package dev.weir.workflow.am;

import org.jspecify.annotations.NullMarked;
