package dev.weir.workflow.run;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Keeps distinct failure messages once, because many failed attempts share a message. Not
 * thread-safe.
 */
final class FailureMessages {

  /** About 300 KB of commands' output, at most 2 MB of our own messages. */
  static final int MOST = 1_000;

  private final Map<String, String> lines = new HashMap<>();

  /** Returns the kept copy of a line; empty when the line is new and the limit is reached. */
  String kept(String line) {
    if (lines.size() < MOST) {
      lines.putIfAbsent(line, line);
    }
    return lines.getOrDefault(line, "");
  }

  /** Forgets all lines but some. */
  void retain(Set<String> used) {
    lines.keySet().retainAll(used);
  }
}
