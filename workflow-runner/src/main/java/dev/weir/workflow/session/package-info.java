/**
 * The ApplicationMaster of a session: it puts the parts together and recovers them after a restart.
 */
@NullMarked
package dev.weir.workflow.session;

import org.jspecify.annotations.NullMarked;
