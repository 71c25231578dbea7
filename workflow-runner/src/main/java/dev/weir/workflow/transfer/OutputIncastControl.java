package dev.weir.workflow.transfer;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits how many outputs that go to the same node are stored at a time, because they share its
 * link. Outputs that stay on this node cross no link and do not wait, once one of the group has
 * stayed here. Thread-safe.
 */
public final class OutputIncastControl {

  /** Outputs smaller than this are sent within a few round trips and cause no congestion. */
  static final long LEAST_BYTES = 256 << 10;

  private final TransferScheduler turns;
  private final String node;

  /** Groups whose last output stayed on this node. */
  private final Set<String> localGroups = ConcurrentHashMap.newKeySet();

  /**
   * Creates the control of a worker.
   *
   * @param turns limits outputs that go to other nodes
   * @param node host name of this node
   */
  public OutputIncastControl(TransferScheduler turns, String node) {
    this.turns = turns;
    this.node = node;
  }

  /** Stores an output. */
  interface Storing {
    DataStore.Stored store() throws IOException, InterruptedException;
  }

  /**
   * Stores an output once it is permitted.
   *
   * @param group name of the incast group; empty when the output goes to its node alone
   * @param bytes its size
   * @return what was stored
   * @throws java.io.InterruptedIOException when the thread is interrupted while it waits
   */
  DataStore.Stored store(String group, long bytes, Storing storing)
      throws IOException, InterruptedException {
    if (group.isEmpty() || bytes < LEAST_BYTES) {
      return storing.store();
    }
    if (localGroups.contains(group)) {
      return remembered(group, storing.store());
    }
    TransferScheduler.Request request = new TransferScheduler.Request(bytes, "");
    try (TransferScheduler.Grant grant = turns.acquire(request, () -> List.of(group))) {
      DataStore.Stored stored = remembered(group, storing.store());
      grant.complete();
      return stored;
    }
  }

  /**
   * Remembers where an output went: HDFS picks another node when the group's usual one is full or
   * down.
   */
  private DataStore.Stored remembered(String group, DataStore.Stored stored) {
    if (stored.bytesByHost().keySet().equals(Set.of(node))) {
      localGroups.add(group);
    } else {
      localGroups.remove(group);
    }
    return stored;
  }
}
