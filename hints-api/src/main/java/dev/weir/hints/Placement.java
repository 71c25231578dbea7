package dev.weir.hints;

import java.util.HashSet;
import java.util.List;

/** Where the blocks of a file go. */
public sealed interface Placement {

  /** The first replica is on the writer's own node. */
  record Local() implements Placement {}

  /**
   * All files of a group are on the same nodes.
   *
   * @param group the name of the group, which alone determines the nodes; 1 to 256 characters
   * @param spread the number of sets of anchors over which the group is divided, 1 to {@value
   *     #MAX_SPREAD}; a hash of the file's path selects the set
   */
  record Collocate(String group, int spread) implements Placement {
    /** The most sets of anchors of a group. */
    public static final int MAX_SPREAD = 1024;

    private static final int MAX_LENGTH = 256;

    /** The group has one set of anchors. */
    public Collocate(String group) {
      this(group, 1);
    }

    /** Validates the name and the number. */
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
   * Each region of a file is on one node, and successive regions are on different nodes.
   *
   * @param regionBytes the size of a region, positive
   */
  record Scatter(long regionBytes) implements Placement {
    /** Validates the size. */
    public Scatter {
      if (regionBytes <= 0) {
        throw new InvalidHintException(
            "region of "
                + regionBytes
                + " bytes is not positive; write the bytes that one task reads");
      }
    }
  }

  /** Placement as in stock HDFS. Excludes files from a less specific rule. */
  record Spread() implements Placement {}

  /**
   * The replicas are on exactly these nodes.
   *
   * @param hosts host names as the NameNode knows the DataNodes, best first; not empty, without
   *     duplicates
   */
  record Nodes(List<String> hosts) implements Placement {
    /** Validates and copies the list. */
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
              "host name '" + host + "' occurs twice; name each DataNode once");
        }
      }
    }
  }
}
