package dev.weir.workflow.makeflow;

import dev.weir.workflow.format.FileMention;
import dev.weir.workflow.format.TextPlace;
import dev.weir.workflow.format.WorkflowDraft;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.WorkflowException;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;

/** Reads the directives of a Makeflow: lines that start with a dot. */
final class Directives {

  private static final Set<String> VARIABLES =
      Set.of("CATEGORY", "CORES", "MEMORY", "DISK", "GPUS", "WALL_TIME");
  private static final String UNITS = "KMGTP";
  private static final int KILO_BITS = 10;

  private final WorkflowSource source;
  private final WorkflowDraft draft;

  Directives(WorkflowSource source, WorkflowDraft draft) {
    this.source = source;
    this.draft = draft;
  }

  /**
   * Reads a directive.
   *
   * @param cursor at the start of its line; moves to the next line
   * @param variables receives the variables that it sets
   */
  void read(Cursor cursor, BiConsumer<String, String> variables) throws WorkflowException {
    TextPlace place = cursor.place();
    String[] words = cursor.restOfLine().replaceFirst("#.*", "").strip().split("[ \\t]+", -1);
    cursor.next();
    if (words.length < 3) {
      throw source.problem(
          place,
          "the directive " + words[0] + " is not complete",
          "write .MAKEFLOW CORES 4, or .SIZE FILE 10M");
    }
    if (words[0].equals(".SIZE")) {
      FileMention file = new FileMention(words[1], place);
      draft.size(file, bytes(words[2], place));
      draft.expect(file, "its size is ignored");
    } else if (words[0].equals(".MAKEFLOW") && VARIABLES.contains(words[1])) {
      variables.accept(words[1], words[2]);
    } else {
      draft.warn(place, "the directive " + words[0] + " " + words[1] + " is ignored");
    }
  }

  private long bytes(String text, TextPlace place) throws WorkflowException {
    String upper = text.toUpperCase(Locale.ROOT).replaceFirst("I?B$", "");
    int unit = upper.isEmpty() ? -1 : UNITS.indexOf(upper.charAt(upper.length() - 1));
    String number = unit < 0 ? upper : upper.substring(0, upper.length() - 1);
    try {
      return (long) (Double.parseDouble(number) * (1L << (KILO_BITS * (unit + 1))));
    } catch (NumberFormatException e) {
      throw new WorkflowException(
          source.name(),
          place.toString(),
          "'" + text + "' is not a size",
          "write bytes, or a number with K, M, G or T",
          e);
    }
  }
}
