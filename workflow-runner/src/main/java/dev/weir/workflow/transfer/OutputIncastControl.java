package dev.weir.workflow.transfer;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When outputs that go to the same node are stored: a few at a time, for they share its link. Those
 * of which that node is this one cross no link and wait for nobody, once one of them has shown it.
 * Any thread may use it.
 */
public final class OutputIncastControl {

  /** What is sent within some round trips crowds nobody out. */
  static final long LEAST_BYTES = 256 << 10;

  private final TransferScheduler turns;
  private final String node;

  /** Those whose last output stayed on this node. */
  private final Set<String> here = ConcurrentHashMap.newKeySet();

  /**
   * Lanes.
   *
   * @param turns when an output may go to another node
   * @param node host name of this one
   */
  public OutputIncastControl(TransferScheduler turns, String node) {
    this.turns = turns;
    this.node = node;
  }

  /** What stores an output. */
  interface Storing {
    DataStore.Stored store() throws IOException, InterruptedException;
  }

  /**
   * Stores an output, when it may be.
   *
   * @param lane what all outputs have in common that go where it goes; empty when it goes there
   *     alone
   * @param bytes its size
   * @return what was stored
   * @throws java.io.InterruptedIOException when the thread is told to stop while it waits
   */
  DataStore.Stored store(String lane, long bytes, Storing storing)
      throws IOException, InterruptedException {
    if (lane.isEmpty() || bytes < LEAST_BYTES) {
      return storing.store();
    }
    if (here.contains(lane)) {
      return heeded(lane, storing.store());
    }
    TransferScheduler.Want want = new TransferScheduler.Want(bytes, "");
    try (TransferScheduler.Turn turn = turns.take(want, () -> List.of(lane))) {
      DataStore.Stored stored = heeded(lane, storing.store());
      turn.done();
      return stored;
    }
  }

  /** The node that takes a lane's outputs may be another one when that one is full, or away. */
  private DataStore.Stored heeded(String lane, DataStore.Stored stored) {
    if (stored.bytesByHost().keySet().equals(Set.of(node))) {
      here.add(lane);
    } else {
      here.remove(lane);
    }
    return stored;
  }
}
