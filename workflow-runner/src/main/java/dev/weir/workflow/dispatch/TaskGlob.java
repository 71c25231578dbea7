package dev.weir.workflow.dispatch;

import dev.weir.workflow.model.Task;
import java.util.regex.Pattern;

/**
 * Names tasks: a pattern that the whole id or the whole type has to match. A {@code *} stands for
 * any number of characters and a {@code ?} for one; all else stands for itself. Immutable.
 */
public final class TaskGlob {

  private final String glob;
  private final Pattern pattern;

  /**
   * A glob.
   *
   * @param glob the pattern; empty for every task
   */
  public TaskGlob(String glob) {
    this.glob = glob;
    StringBuilder regex = new StringBuilder();
    StringBuilder literal = new StringBuilder();
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      if (c == '*' || c == '?') {
        regex.append(Pattern.quote(literal.toString())).append(c == '*' ? ".*" : ".");
        literal.setLength(0);
      } else {
        literal.append(c);
      }
    }
    this.pattern =
        Pattern.compile(regex.append(Pattern.quote(literal.toString())).toString(), Pattern.DOTALL);
  }

  /**
   * Whether it names a task.
   *
   * @param task the task
   * @return whether
   */
  public boolean matches(Task task) {
    return isAll()
        || pattern.matcher(task.id()).matches()
        || pattern.matcher(task.type()).matches();
  }

  /**
   * Whether it stands for the run as a whole.
   *
   * @return whether it is empty
   */
  public boolean isAll() {
    return glob.isEmpty();
  }

  /** The pattern as it was given. */
  @Override
  public String toString() {
    return glob;
  }
}
