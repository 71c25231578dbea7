package dev.weir.hints.store;

import dev.weir.hints.StoreAccess;
import java.io.IOException;

/** Others than the permitted writers may change the hint sets, so they are not followed. */
final class UntrustedStoreException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param znode a parent of the sets
   * @param writer who may change it
   */
  UntrustedStoreException(String znode, String writer) {
    super(
        "hints are not followed, because "
            + writer
            + " may change "
            + znode
            + " in ZooKeeper; add that to "
            + StoreAccess.WRITERS_KEY
            + " if it is the hints service, or set "
            + StoreAccess.OPEN_KEY
            + " to true if all who reach ZooKeeper may write hints");
  }
}
