package dev.weir.workflow.scheduler;

import java.util.HashMap;
import java.util.Map;

/**
 * What is not copied ahead for some time because it failed: anything to a node without room, and a
 * file to a node where that came to nothing. A file that comes to nothing again and again, for
 * instance because nobody may keep what not everybody may read, is not copied any more. Not
 * thread-safe.
 */
final class CopyAheadBackoff {

  private static final long MILLIS = 30_000;

  /** So often copies of a file may come to nothing, on whichever nodes, without one that does. */
  static final int MOST_FAILURES = 3;

  private final Map<String, Long> nodes = new HashMap<>();
  private final Map<NodeFile, Long> places = new HashMap<>();
  private final Map<String, Integer> failures = new HashMap<>();

  /** A node had no room. */
  void noRoom(String node, long now) {
    nodes.put(node, now + MILLIS);
  }

  /** Nothing came of a copy, for another reason. */
  void failed(NodeFile place, long now) {
    places.put(place, now + MILLIS);
    failures.merge(place.file(), 1, Integer::sum);
  }

  /** A file was copied, or a node keeps it. */
  void succeeded(String file) {
    failures.remove(file);
  }

  /** A file is not known any more. */
  void forget(String file) {
    failures.remove(file);
  }

  /** Time has passed. */
  void expire(long now) {
    nodes.values().removeIf(until -> until <= now);
    places.values().removeIf(until -> until <= now);
  }

  /** Whether a file is not to be copied to a node now. */
  boolean rests(String node, String file) {
    return nodes.containsKey(node)
        || places.containsKey(new NodeFile(node, file))
        || failures.getOrDefault(file, 0) >= MOST_FAILURES;
  }
}
