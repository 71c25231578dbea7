package dev.weir.service.locate;

import dev.weir.hdfs.placement.Site;

/**
 * A DataNode as the NameNode reports it.
 *
 * @param host the host name that it goes by
 * @param port the port that it serves blocks at
 * @param rack the path of its rack
 * @param state whether it can take blocks
 * @param remaining how many bytes it has room for
 * @param memory how many bytes more it may lock in memory to cache files in
 */
public record DataNode(String host, int port, String rack, State state, long remaining, long memory)
    implements Site {

  /** Whether a DataNode can take blocks. */
  public enum State {
    /** As far as its room goes. */
    IN_SERVICE("is in service"),
    /** It has not been heard of for a while. */
    STALE("has not been heard of for a while"),
    /** Its blocks are being copied elsewhere, or are. */
    DECOMMISSIONED("is decommissioned, or about to be"),
    /** It is away for a while, or about to be. */
    MAINTENANCE("is in maintenance, or about to be"),
    /** It is taken for lost. */
    DEAD("is dead");

    private final String words;

    State(String words) {
      this.words = words;
    }

    /** A clause that says it of a DataNode. */
    String words() {
      return words;
    }
  }

  /** Whether it can take a block of that size. */
  boolean isAble(long blockSize) {
    return state == State.IN_SERVICE && remaining >= blockSize;
  }
}
