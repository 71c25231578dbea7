package dev.weir.service.reconcile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last attributes that are not followed, because they cannot be read or are beyond a limit.
 * Thread-safe.
 */
final class IgnoredHints {
  static final int MOST = 100;

  private final Map<String, String> reasons = new LinkedHashMap<>();

  /** Adds a path, and forgets the oldest one beyond the limit. */
  synchronized void add(String path, String reason) {
    reasons.remove(path);
    reasons.put(path, reason);
    if (reasons.size() > MOST) {
      reasons.remove(reasons.keySet().iterator().next());
    }
  }

  /** Removes a path whose attribute is followed or gone. */
  synchronized void remove(String path) {
    reasons.remove(path);
  }

  /** Returns the paths and reasons, the oldest first. */
  synchronized List<Map<String, String>> list() {
    List<Map<String, String>> list = new ArrayList<>();
    reasons.forEach((path, reason) -> list.add(Map.of("path", path, "reason", reason)));
    return list;
  }
}
