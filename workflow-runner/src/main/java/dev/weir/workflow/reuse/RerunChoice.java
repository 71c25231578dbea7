package dev.weir.workflow.reuse;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.api.TaskGlob;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Selects the tasks that are run although an earlier run has done them. Immutable. */
public record RerunChoice(String text) {

  /** No task: all tasks that were done are reused. */
  public static final String NONE = "none";

  /** The tasks that did not succeed on the first attempt. */
  public static final String FAILED = "failed";

  public static final String ALL = "all";

  private static final int SHOWN_TYPES = 5;

  /**
   * Parses the user's text.
   *
   * @param text {@code none}, {@code failed}, {@code all}, or globs of tasks, separated by commas
   * @throws IllegalArgumentException when the text is blank
   */
  public static RerunChoice parse(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException(
          "--rerun is blank: give none, failed, all, or a pattern of task ids or types");
    }
    return new RerunChoice(text);
  }

  /**
   * Checks that each glob matches a task. Otherwise tasks that the user meant to run would be
   * reused because of a typo.
   *
   * @throws IllegalArgumentException if a glob is blank or matches no task, or if {@code none},
   *     {@code failed} or {@code all} is combined with others; the message says what to write
   */
  public RerunChoice checked(Workflow workflow) {
    if (isWord(text) || matchesAny(workflow.tasks(), text)) {
      return this;
    }
    if (parts().contains("")) {
      throw new IllegalArgumentException(
          "--rerun '"
              + text
              + "' has a blank pattern: give none, failed, all, or patterns of task ids or types,"
              + " separated by commas");
    }
    for (String glob : parts()) {
      if (matchesAny(workflow.tasks(), glob)) {
        continue;
      }
      if (isWord(glob)) {
        throw new IllegalArgumentException(
            "--rerun '" + text + "' has '" + glob + "' among others: give it alone, or remove it");
      }
      throw new IllegalArgumentException(
          "--rerun '"
              + glob
              + "' matches no task id or type of the workflow; its types are "
              + types(workflow));
    }
    return this;
  }

  private static String types(Workflow workflow) {
    List<String> types = workflow.tasks().stream().map(Task::type).distinct().sorted().toList();
    return String.join(", ", types.subList(0, Math.min(SHOWN_TYPES, types.size())))
        + (types.size() > SHOWN_TYPES ? ", ..." : "");
  }

  private static boolean isWord(String text) {
    return List.of(NONE, FAILED, ALL).contains(text);
  }

  private static boolean matchesAny(List<Task> tasks, String glob) {
    return tasks.stream().anyMatch(new TaskGlob(glob)::matches);
  }

  private List<String> parts() {
    return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
  }

  /** The whole text and its parts, because ids may contain commas. */
  private Stream<String> globs() {
    return Stream.concat(Stream.of(text), parts().stream())
        .filter(glob -> !glob.isEmpty())
        .distinct();
  }

  /**
   * Returns whether all tasks are run.
   *
   * @return whether earlier runs are ignored
   */
  public boolean isAll() {
    return text.equals(ALL);
  }

  /**
   * Returns whether to run a task that an earlier run has done.
   *
   * @param firstTry whether the first attempt succeeded in the earlier run
   */
  boolean wants(Task task, boolean firstTry) {
    return switch (text) {
      case NONE -> false;
      case FAILED -> !firstTry;
      case ALL -> true;
      default -> globs().anyMatch(glob -> new TaskGlob(glob).matches(task));
    };
  }
}
