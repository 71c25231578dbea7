package dev.weir.workflow.reuse;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.TaskGlob;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is run although an earlier run has done it. Immutable.
 *
 * @param text as the user says it
 */
public record RerunChoice(String text) {

  /** Nothing: what was done is taken over. */
  public static final String NONE = "none";

  /** What did not succeed at the first try. */
  public static final String FAILED = "failed";

  /** Everything. */
  public static final String ALL = "all";

  private static final int SHOWN = 5;

  /**
   * Reads what a user says.
   *
   * @param text {@code none}, {@code failed}, {@code all}, or globs of tasks with commas between
   *     them
   * @return the choice
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
   * Makes sure that each glob names a task, so that a mistyped one does not have taken over what
   * was to be run.
   *
   * @param workflow what is run
   * @return this
   * @throws IllegalArgumentException when a glob is blank or names none, or {@code none}, {@code
   *     failed} or {@code all} stands beside others; the message says what to write instead
   */
  public RerunChoice checked(Workflow workflow) {
    if (isWord(text) || namesOneOf(workflow.tasks(), text)) {
      return this;
    }
    if (parts().contains("")) {
      throw new IllegalArgumentException(
          "--rerun '"
              + text
              + "' has a blank pattern: give none, failed, all, or patterns of task ids or types"
              + " with commas between them");
    }
    for (String glob : parts()) {
      if (namesOneOf(workflow.tasks(), glob)) {
        continue;
      }
      if (isWord(glob)) {
        throw new IllegalArgumentException(
            "--rerun '" + text + "' has '" + glob + "' among others: give it alone, or leave it");
      }
      throw new IllegalArgumentException(
          "--rerun '"
              + glob
              + "' names no task of the workflow by its id or type: there are the types "
              + types(workflow));
    }
    return this;
  }

  private static String types(Workflow workflow) {
    List<String> types = workflow.tasks().stream().map(Task::type).distinct().sorted().toList();
    return String.join(", ", types.subList(0, Math.min(SHOWN, types.size())))
        + (types.size() > SHOWN ? ", ..." : "");
  }

  private static boolean isWord(String text) {
    return List.of(NONE, FAILED, ALL).contains(text);
  }

  private static boolean namesOneOf(List<Task> tasks, String glob) {
    return tasks.stream().anyMatch(new TaskGlob(glob)::matches);
  }

  private List<String> parts() {
    return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
  }

  /** The text as a whole, for ids may have commas, too, and what is between these. */
  private Stream<String> globs() {
    return Stream.concat(Stream.of(text), parts().stream())
        .filter(glob -> !glob.isEmpty())
        .distinct();
  }

  /**
   * Whether earlier runs count for nothing.
   *
   * @return whether everything is run
   */
  public boolean isAll() {
    return text.equals(ALL);
  }

  /**
   * Whether a task is run although an earlier run has done it.
   *
   * @param task the task
   * @param firstTry whether the earlier run needed one attempt
   * @return whether
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
