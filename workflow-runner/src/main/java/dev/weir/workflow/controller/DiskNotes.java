package dev.weir.workflow.controller;

import dev.weir.workflow.protocol.Message;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Words notes for users about caches with little room on full disks. Not thread-safe. */
final class DiskNotes {

  /** Further nodes are not named. */
  private static final int NAMED = 3;

  private static final int MEBI_BITS = 20;

  private final Set<String> nodes = new HashSet<>();

  /** Returns the note about a node; empty if there was one, or one about further nodes. */
  Optional<String> note(Message.DiskShortage shortage) {
    if (nodes.size() > NAMED || !nodes.add(shortage.node())) {
      return Optional.empty();
    }
    String where =
        nodes.size() > NAMED
            ? "further nodes have little room for their caches, too"
            : "the disk of "
                + shortage.node()
                + " has too little room for the cache: it may have "
                + (shortage.limitBytes() >> MEBI_BITS)
                + " MiB, and what does not fit is read from and written to HDFS";
    return Optional.of(
        where
            + "; free space there, or raise "
            + YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE);
  }
}
