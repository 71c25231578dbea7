package dev.weir.workflow.rpc;

import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.Message;

/** The worker's end of the channel to the ApplicationMaster. */
public interface MasterConnection extends Connection {

  /** Receives messages and the end of the connection; called by one thread at a time. */
  interface Listener {

    void received(Message message);

    /**
     * The ApplicationMaster is no longer reachable. Called once for each {@link #start}, as the
     * last call.
     *
     * @param reason the cause, in one line
     */
    void ended(String reason);
  }

  /**
   * Starts the exchange of messages: once after each connect or reconnect.
   *
   * @param listener receives the messages
   */
  void start(Listener listener);

  /**
   * Returns the security of the session's node caches.
   *
   * @return the secret and certificate from the ApplicationMaster
   */
  CacheSecurity cacheSecurity();
}
