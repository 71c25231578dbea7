package dev.weir.workflow.makeflow;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The variables of a Makeflow. A lookup searches the rule's variables, then those of its category,
 * then those of the default category, and then the environment. A value applies from the next rule
 * on. Not thread-safe.
 */
final class Variables {

  static final String DEFAULT_CATEGORY = "default";

  private final Map<String, String> environment;
  private final Map<String, Map<String, TreeMap<Integer, String>>> categories = new HashMap<>();

  Variables(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * The context of a lookup.
   *
   * @param own the variables of the rule itself
   */
  record Reader(int rule, String category, Map<String, String> own) {}

  void set(Reader reader, String name, String value) {
    categories
        .computeIfAbsent(reader.category(), k -> new HashMap<>())
        .computeIfAbsent(name, k -> new TreeMap<>())
        .put(reader.rule(), value);
  }

  Optional<String> find(Reader reader, String name) {
    Optional<String> written = findWritten(reader, name);
    return written.isPresent() ? written : Optional.ofNullable(environment.get(name));
  }

  /** Finds a variable without searching the environment. */
  Optional<String> findWritten(Reader reader, String name) {
    String own = reader.own().get(name);
    if (own != null) {
      return Optional.of(own);
    }
    return inCategory(reader.category(), reader.rule(), name)
        .or(() -> inCategory(DEFAULT_CATEGORY, reader.rule(), name));
  }

  private Optional<String> inCategory(String category, int rule, String name) {
    return Optional.ofNullable(categories.get(category))
        .map(variables -> variables.get(name))
        .map(values -> values.floorEntry(rule))
        .map(Map.Entry::getValue);
  }
}
