package dev.weir.workflow.scheduler.api;

import dev.weir.workflow.scheduler.api.Progress.Failed;
import java.util.List;

/**
 * The tasks that a run has not done because of permanent failures.
 *
 * @param tasks how many tasks will not be done
 * @param failed how many of them failed permanently; the others need their files, or were cancelled
 * @param first the last attempts of the first tasks that failed permanently, in the order of the
 *     failures; at most {@link #MOST}
 */
public record GivenUp(int tasks, int failed, List<Failed> first) {

  /** Maximum number of attempts that are kept. */
  public static final int MOST = 1_000;

  /** No task was given up. */
  public static final GivenUp NONE = new GivenUp(0, 0, List.of());

  public GivenUp {
    first = List.copyOf(first);
  }

  /**
   * The same totals with fewer attempts.
   *
   * @param most maximum number of attempts
   */
  public GivenUp atMost(int most) {
    return first.size() <= most ? this : new GivenUp(tasks, failed, first.subList(0, most));
  }
}
