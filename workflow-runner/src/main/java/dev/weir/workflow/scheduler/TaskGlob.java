package dev.weir.workflow.scheduler;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.text.Glob;

/**
 * Names tasks: a pattern that the whole id or the whole type has to match. A {@code *} stands for
 * any number of characters and a {@code ?} for one; all else stands for itself. Immutable.
 */
public final class TaskGlob {

  private final Glob glob;

  /**
   * A glob.
   *
   * @param glob the pattern; empty for every task
   */
  public TaskGlob(String glob) {
    this.glob = new Glob(glob);
  }

  /**
   * Whether it names a task.
   *
   * @param task the task
   * @return whether
   */
  public boolean matches(Task task) {
    return isAll() || glob.matches(task.id()) || glob.matches(task.type());
  }

  /**
   * Whether it stands for the run as a whole.
   *
   * @return whether it is empty
   */
  public boolean isAll() {
    return glob.toString().isEmpty();
  }

  /** The pattern as it was given. */
  @Override
  public String toString() {
    return glob.toString();
  }
}
