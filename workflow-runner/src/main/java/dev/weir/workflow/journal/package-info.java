/**
 * The journal of a session, and the fencing of ApplicationMasters that may not write it any more.
 */
@NullMarked
package dev.weir.workflow.journal;

import org.jspecify.annotations.NullMarked;
