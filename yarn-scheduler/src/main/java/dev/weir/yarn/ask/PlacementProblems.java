package dev.weir.yarn.ask;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What keeps files of some keys from being used, in words for the user: for as long as their keys
 * last, also while they are looked up again. Bounded; for one thread at a time.
 */
final class PlacementProblems {

  /** The text is kept by the ResourceManager and shown in lists of applications. */
  private static final int MOST = 3;

  private final Map<AskKey, Set<String>> byKey = new LinkedHashMap<>();

  /** Adds a problem, if there are not too many. */
  void add(AskKey key, String text) {
    boolean room = byKey.values().stream().mapToInt(Set::size).sum() < MOST;
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

  /** All of them; empty if there are none. */
  String text() {
    return byKey.entrySet().stream()
        .flatMap(entry -> entry.getValue().stream().map(text -> told(entry.getKey(), text)))
        .collect(Collectors.joining("; "));
  }

  private static String told(AskKey key, String text) {
    return "priority %d, allocation request id %d: %s"
        .formatted(key.priority(), key.allocationRequestId(), text);
  }
}
