package dev.weir.workflow.jobserver;

import java.util.LinkedHashMap;
import java.util.Map;

/** The names that came last, up to a number. Thread-safe. */
final class RecentNames {

  private static final float LOAD = 0.75f;

  private final Map<String, Boolean> names;

  /**
   * None yet.
   *
   * @param most how many are remembered; the one that was named longest ago is forgotten
   */
  RecentNames(int most) {
    names =
        new LinkedHashMap<>(16, LOAD, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > most;
          }
        };
  }

  /** Whether a name is among them; it is now. */
  synchronized boolean again(String name) {
    return names.put(name, true) != null;
  }
}
