package dev.weir.service.locate.nodes;

import dev.weir.hdfs.placement.Site;

/**
 * A DataNode as the NameNode reports it.
 *
 * @param port the port that it serves blocks on
 * @param rack the path of its rack
 * @param state whether it can take blocks
 * @param remaining free space in bytes
 * @param memory free cache capacity in bytes
 */
public record DataNode(String host, int port, String rack, State state, long remaining, long memory)
    implements Site {

  /** Whether a DataNode can take blocks. */
  public enum State {
    /** It can take blocks within its free space. */
    IN_SERVICE("is in service"),
    STALE("has sent no heartbeat for a while"),
    /** Its blocks are being copied elsewhere, or have been. */
    DECOMMISSIONED("is decommissioned, or about to be"),
    /** It is temporarily out of service, or about to be. */
    MAINTENANCE("is in maintenance, or about to be"),
    /** The NameNode considers it lost. */
    DEAD("is dead");

    private final String description;

    State(String description) {
      this.description = description;
    }

    /** Returns a clause that states the condition of a DataNode. */
    public String description() {
      return description;
    }
  }

  /** Returns whether the DataNode can take a block of that size. */
  public boolean isEligible(long blockSize) {
    return state == State.IN_SERVICE && remaining >= blockSize;
  }
}
