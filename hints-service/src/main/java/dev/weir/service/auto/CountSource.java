package dev.weir.service.auto;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;

/** Reads the counts of NameNodes. */
@FunctionalInterface
public interface CountSource {
  /**
   * The counts of one process of a NameNode.
   *
   * @param started when the process began to count
   * @param halfLife the time in which a count halves
   * @param counts the accesses that were audited by this NameNode
   */
  record Reading(Instant started, Duration halfLife, AccessCounts counts) {}

  /**
   * Reads the counts.
   *
   * @param nameNode the address of its web server
   * @throws IOException if the NameNode does not answer or does not count
   */
  Reading read(URI nameNode) throws IOException;
}
