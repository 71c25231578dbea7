package dev.weir.workflow.wfformat;

import dev.weir.workflow.model.JsonPlace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What of a document is passed over although somebody meant something by it. What a recorder got
 * wrong it got wrong for all tasks, so one kind is one note, with its first place. Not thread-safe.
 */
final class WfNotes {

  private final Map<String, Note> notes = new LinkedHashMap<>();

  /** The first of a kind, and how many there are. */
  private record Note(String first, int count) {}

  /**
   * Takes one down.
   *
   * @param kind what is told of several at once
   * @param place where it is
   * @param text what it is, one clause, and what is made of it
   */
  void add(String kind, JsonPlace place, String text) {
    Note one = new Note(place.pointer() + ": " + text, 1);
    notes.merge(kind, one, (old, next) -> new Note(old.first(), old.count() + 1));
  }

  /** The warnings, in the order of what they are about. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (Note note : notes.values()) {
      int others = note.count() - 1;
      warnings.add(note.first() + (others == 0 ? "" : " (and " + others + " more like it)"));
    }
    return warnings;
  }
}
