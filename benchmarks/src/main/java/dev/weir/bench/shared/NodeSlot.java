package dev.weir.bench.shared;

import java.io.Closeable;
import java.io.IOException;

/** A slot of the dispatcher that holds resources on its node. */
interface NodeSlot extends FifoDispatcher.Slot, Closeable {
  /** Ends the running task, so that it fails. */
  void kill();

  /** Starts slots. */
  @FunctionalInterface
  interface Factory {
    /**
     * Starts a slot.
     *
     * @throws IOException if that fails; the message has the reason
     */
    NodeSlot start(String node) throws IOException;
  }
}
