package dev.weir.yarn.ask;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The problems with files of keys, as text for the user. A problem lasts as long as its key, also
 * during further lookups. Bounded; not thread-safe.
 */
final class PlacementProblems {

  /** The ResourceManager stores the text and shows it in lists of applications. */
  private static final int MAX_PROBLEMS = 3;

  private final Map<AskKey, Set<String>> byKey = new LinkedHashMap<>();

  /** Adds a problem unless there are too many. */
  void add(AskKey key, String text) {
    boolean room = byKey.values().stream().mapToInt(Set::size).sum() < MAX_PROBLEMS;
    if (room) {
      byKey.computeIfAbsent(key, absent -> new LinkedHashSet<>()).add(text);
    }
  }

  void forget(AskKey key) {
    byKey.remove(key);
  }

  boolean isEmpty() {
    return byKey.isEmpty();
  }

  void addAll(PlacementProblems others) {
    others.byKey.forEach((key, texts) -> texts.forEach(text -> add(key, text)));
  }

  String text() {
    return byKey.entrySet().stream()
        .flatMap(entry -> entry.getValue().stream().map(text -> format(entry.getKey(), text)))
        .collect(Collectors.joining("; "));
  }

  private static String format(AskKey key, String text) {
    return "priority %d, allocation request id %d: %s"
        .formatted(key.priority(), key.allocationRequestId(), text);
  }
}
