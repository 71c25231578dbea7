package dev.weir.workflow.rpc;

import dev.weir.workflow.protocol.Message;

/**
 * One end of the channel between a worker and an ApplicationMaster. Messages arrive in the order in
 * which they were sent, each exactly once, even if the network connection is lost and restored.
 * Thread-safe.
 */
public interface Connection extends AutoCloseable {

  /**
   * Queues a message. Never blocks. A message to a connection that has ended is dropped. A message
   * that is too long fails the task that it is about.
   */
  void send(Message message);

  /** Ends the connection. Idempotent. */
  @Override
  void close();
}
