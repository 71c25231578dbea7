package dev.weir.workflow.scheduler.api;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.text.Glob;

/**
 * A pattern that the whole id or the whole type of a task must match. {@code *} stands for any
 * number of characters, {@code ?} for one; all other characters stand for themselves. Immutable.
 */
public final class TaskGlob {

  private final Glob glob;

  /**
   * Creates a pattern.
   *
   * @param glob the pattern; empty for every task
   */
  public TaskGlob(String glob) {
    this.glob = new Glob(glob);
  }

  public boolean matches(Task task) {
    return isAll() || glob.matches(task.id()) || glob.matches(task.type());
  }

  /**
   * Whether it matches the run as a whole.
   *
   * @return whether it is empty
   */
  public boolean isAll() {
    return glob.toString().isEmpty();
  }

  @Override
  public String toString() {
    return glob.toString();
  }
}
