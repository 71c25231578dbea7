package dev.weir.workflow.scheduler;

import java.util.HashMap;
import java.util.Map;

/**
 * Delays copies ahead after failures: all copies to a node without room, and copies of a file to a
 * node where one failed. A file whose copies fail repeatedly is not copied any more, for example
 * because a cache may not keep files that are not readable by all users. Not thread-safe.
 */
final class CopyAheadBackoff {

  private static final long MILLIS = 30_000;

  /** How many copies of a file may fail in a row, on any nodes. */
  static final int MOST_FAILURES = 3;

  private final Map<String, Long> nodes = new HashMap<>();
  private final Map<NodeFile, Long> places = new HashMap<>();
  private final Map<String, Integer> failures = new HashMap<>();

  /** Notes that a node had no room. */
  void noRoom(String node, long now) {
    nodes.put(node, now + MILLIS);
  }

  /** Notes that a copy failed for another reason. */
  void failed(NodeFile place, long now) {
    places.put(place, now + MILLIS);
    failures.merge(place.file(), 1, Integer::sum);
  }

  /** Notes that a file was copied, or that a node caches it. */
  void succeeded(String file) {
    failures.remove(file);
  }

  /** Removes a forgotten file. */
  void forget(String file) {
    failures.remove(file);
  }

  /** Ends delays whose time is over. */
  void expire(long now) {
    nodes.values().removeIf(until -> until <= now);
    places.values().removeIf(until -> until <= now);
  }

  /** Whether a file must not be copied to a node now. */
  boolean isBackedOff(String node, String file) {
    return nodes.containsKey(node)
        || places.containsKey(new NodeFile(node, file))
        || failures.getOrDefault(file, 0) >= MOST_FAILURES;
  }
}
