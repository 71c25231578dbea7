package dev.weir.workflow.controller;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.rpc.Connection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The workers that a run has, each with the connection to it, and those that it has no more. For
 * one thread, which nothing here blocks.
 */
final class WorkerConnections {

  private final Map<String, Connection> connections = new HashMap<>();

  /** Workers that were taken for lost, or let go: one that connects after that is not taken in. */
  private final Set<String> gone = new HashSet<>();

  /**
   * Takes in a worker.
   *
   * @return false when it comes too late and is told to end
   */
  boolean join(String worker, Connection connection) {
    if (gone.contains(worker)) {
      // Closed, it would look for another ApplicationMaster.
      connection.send(new Message.Shutdown());
      return false;
    }
    connections.put(worker, connection);
    return true;
  }

  /**
   * A worker is taken for lost, whether it was here or not.
   *
   * @return whether it was
   */
  boolean lose(String worker) {
    gone.add(worker);
    Connection connection = connections.remove(worker);
    if (connection != null) {
      connection.close();
    }
    return connection != null;
  }

  /** A worker is not needed any more. */
  void dismiss(String worker) {
    gone.add(worker);
    send(worker, new Message.Shutdown());
    connections.remove(worker);
  }

  /** Tells a worker something; one that is not here hears nothing. */
  void send(String worker, Message message) {
    Connection connection = connections.get(worker);
    if (connection != null) {
      connection.send(message);
    }
  }

  /** Tells all workers something. */
  void sendAll(Message message) {
    connections.values().forEach(connection -> connection.send(message));
  }

  /** How many there are. */
  int size() {
    return connections.size();
  }
}
