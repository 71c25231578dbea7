package dev.weir.hints;

import java.util.HashSet;
import java.util.List;

/** Where the blocks of a file go. */
public sealed interface Placement {

  /** The first replica on the writer's own node. */
  record Local() implements Placement {}

  /**
   * All files of a group on the same nodes.
   *
   * @param group the name of the group, which alone decides the nodes; 1 to 256 characters
   * @param spread over how many nodes the group is divided, each file on one of them by its name; 1
   *     to {@value #MAX_SPREAD}
   */
  record Collocate(String group, int spread) implements Placement {
    /** Over how many nodes a group can be divided at most. */
    public static final int MAX_SPREAD = 1024;

    private static final int MAX_LENGTH = 256;

    /** The whole group on one node. */
    public Collocate(String group) {
      this(group, 1);
    }

    /** Checks the name and the number. */
    public Collocate {
      if (spread < 1 || spread > MAX_SPREAD) {
        throw new InvalidHintException(
            "group spread over " + spread + " nodes; write 1 to " + MAX_SPREAD);
      }
      if (group.isBlank() || group.length() > MAX_LENGTH) {
        throw new InvalidHintException(
            "group name '"
                + group
                + "' is blank or longer than "
                + MAX_LENGTH
                + " characters; name the group, for instance after the task that reads its files");
      }
    }
  }

  /**
   * Each region of a file whole on one node, successive regions on different nodes.
   *
   * @param regionBytes bytes of a region, more than 0
   */
  record Scatter(long regionBytes) implements Placement {
    /** Checks the size. */
    public Scatter {
      if (regionBytes <= 0) {
        throw new InvalidHintException(
            "region of "
                + regionBytes
                + " bytes is not positive; write the bytes that one task reads");
      }
    }
  }

  /** As stock HDFS does it, said expressly: takes files out of a less specific rule. */
  record Spread() implements Placement {}

  /**
   * Exactly on these nodes.
   *
   * @param hosts host names as the NameNode knows the DataNodes, best first; not empty, no repeats
   */
  record Nodes(List<String> hosts) implements Placement {
    /** Checks and copies the list. */
    public Nodes {
      hosts = List.copyOf(hosts);
      if (hosts.isEmpty()) {
        throw new InvalidHintException("list of hosts is empty; name at least one DataNode");
      }
      HashSet<String> seen = new HashSet<>();
      for (String host : hosts) {
        if (host.isBlank()) {
          throw new InvalidHintException("host name is blank; write a DataNode's host name");
        }
        if (!seen.add(host)) {
          throw new InvalidHintException(
              "host name '" + host + "' is there twice; name each DataNode once");
        }
      }
    }
  }
}
