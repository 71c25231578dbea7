package dev.weir.workflow.run;

import java.util.HashMap;
import java.util.Map;

/**
 * What failed attempts say of themselves, each line once: a hundred thousand attempts may fail, of
 * which most say the same. Not thread-safe.
 */
final class FailureLines {

  /** Some 300 KB of what commands printed; 2 MB, when all are ours and as long as may be. */
  static final int MOST = 1_000;

  private final Map<String, String> lines = new HashMap<>();

  /** A line as it is kept; empty when it is another one and there are enough. */
  String kept(String line) {
    if (lines.size() < MOST) {
      lines.putIfAbsent(line, line);
    }
    return lines.getOrDefault(line, "");
  }
}
