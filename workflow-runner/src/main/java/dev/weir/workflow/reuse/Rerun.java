package dev.weir.workflow.reuse;

import dev.weir.workflow.dispatch.TaskGlob;
import dev.weir.workflow.model.Task;

/**
 * What is run although an earlier run has done it. Immutable.
 *
 * @param text as the user says it
 */
public record Rerun(String text) {

  /** Nothing: what was done is taken over. */
  public static final String NONE = "none";

  /** What did not succeed at the first try. */
  public static final String FAILED = "failed";

  /** Everything. */
  public static final String ALL = "all";

  /**
   * Reads what a user says.
   *
   * @param text {@code none}, {@code failed}, {@code all}, or a glob of tasks
   * @return the choice
   * @throws IllegalArgumentException when the text is blank
   */
  public static Rerun parse(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException(
          "--rerun is blank: give none, failed, all, or a pattern of task ids or types");
    }
    return new Rerun(text);
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
      default -> new TaskGlob(text).matches(task);
    };
  }
}
