/** The ApplicationMaster of a session: assembles its services and recovers them after a restart. */
@NullMarked
package dev.weir.workflow.session;

import org.jspecify.annotations.NullMarked;
