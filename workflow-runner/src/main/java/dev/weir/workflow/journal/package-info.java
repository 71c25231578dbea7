/** The journal of a session, and which ApplicationMaster may write to it. */
@NullMarked
package dev.weir.workflow.journal;

import org.jspecify.annotations.NullMarked;
