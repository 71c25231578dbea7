/** The RPC channel between the ApplicationMaster of a session and its workers. */
@NullMarked
package dev.weir.workflow.rpc;

import org.jspecify.annotations.NullMarked;
