package dev.weir.workflow.rpc;

import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.Message;

/** The worker's end of the channel. */
public interface MasterConnection extends Connection {

  /** Hears what comes; called by one thread at a time. */
  interface Listener {

    /**
     * A message has come.
     *
     * @param message the message
     */
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
   * Starts to exchange messages, for the first time or after it was dialled again.
   *
   * @param listener hears what comes
   */
  void start(Listener listener);

  /**
   * Returns the security of the session's node caches.
   *
   * @return the secret and certificate from the ApplicationMaster
   */
  CacheSecurity cacheSecurity();
}
