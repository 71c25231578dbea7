package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.Progress.Failed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run that goes on without tasks that failed for good has not done.
 *
 * @param tasks how many tasks will not be done
 * @param failed how many of them failed for good; the others need their files, or were cancelled
 * @param first the last attempt of each that failed for good, in the order in which they did; of
 *     very many the first ones
 */
public record GivenUp(int tasks, int failed, List<Failed> first) {

  /** Of how many tasks the last attempt is known. */
  public static final int MOST = 1_000;

  /** Nothing was given up. */
  public static final GivenUp NONE = new GivenUp(0, 0, List.of());

  /** Copies. */
  public GivenUp {
    first = List.copyOf(first);
  }

  /**
   * What a file says, which may be older than this.
   *
   * @param read what was read; null when the file says nothing of it
   * @return the same, or nothing
   */
  static GivenUp orNone(@Nullable GivenUp read) {
    return read == null ? NONE : read;
  }

  /**
   * The same with fewer of the attempts.
   *
   * @param most how many of them
   * @return the same numbers
   */
  public GivenUp atMost(int most) {
    return first.size() <= most ? this : new GivenUp(tasks, failed, first.subList(0, most));
  }
}
