package dev.weir.workflow.controller;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.rpc.Connection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The connections to a session's workers, and the ids of lost and released ones. For one thread;
 * does not block.
 */
final class WorkerConnections {

  private final Map<String, Connection> connections = new HashMap<>();

  /** Lost and released workers, which may not join again. */
  private final Set<String> gone = new HashSet<>();

  /**
   * Adds a worker.
   *
   * @return false when the worker was lost or released before, and is told to shut down
   */
  boolean join(String worker, Connection connection) {
    if (gone.contains(worker)) {
      // Not closed: the worker would then look for another ApplicationMaster.
      connection.send(new Message.Shutdown());
      return false;
    }
    connections.put(worker, connection);
    return true;
  }

  /**
   * Removes a lost worker; it need not be connected.
   *
   * @return whether it was connected
   */
  boolean lose(String worker) {
    gone.add(worker);
    Connection connection = connections.remove(worker);
    if (connection != null) {
      connection.close();
    }
    return connection != null;
  }

  /** Shuts down a worker that is not needed any more. */
  void dismiss(String worker) {
    gone.add(worker);
    send(worker, new Message.Shutdown());
    connections.remove(worker);
  }

  /** Sends a message to a worker; ignored when it is not connected. */
  void send(String worker, Message message) {
    Connection connection = connections.get(worker);
    if (connection != null) {
      connection.send(message);
    }
  }

  void sendAll(Message message) {
    connections.values().forEach(connection -> connection.send(message));
  }

  int size() {
    return connections.size();
  }
}
