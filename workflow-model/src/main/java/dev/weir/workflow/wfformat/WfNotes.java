package dev.weir.workflow.wfformat;

import dev.weir.workflow.model.JsonPlace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects warnings about ignored parts of a document. A recorder's error usually affects all
 * tasks, so each kind of warning is reported once, with its first place. Not thread-safe.
 */
final class WfNotes {

  private final Map<String, Note> notes = new LinkedHashMap<>();

  /** The first warning of a kind, and their number. */
  private record Note(String first, int count) {}

  /**
   * Adds a warning.
   *
   * @param kind warnings of one kind are reported together
   * @param text the problem and its consequence
   */
  void add(String kind, JsonPlace place, String text) {
    Note one = new Note(place.pointer() + ": " + text, 1);
    notes.merge(kind, one, (old, next) -> new Note(old.first(), old.count() + 1));
  }

  /** Returns the warnings in the order of their first places. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (Note note : notes.values()) {
      int others = note.count() - 1;
      warnings.add(note.first() + (others == 0 ? "" : " (and " + others + " more like it)"));
    }
    return warnings;
  }
}
