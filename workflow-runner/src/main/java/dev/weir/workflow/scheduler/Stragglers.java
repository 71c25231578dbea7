package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.TaskOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which of the tasks that run are to have a second copy, when there are workers that have nothing
 * to do. A pure function of what is known at a moment.
 *
 * <p>The rule is that of LATE (M. Zaharia, A. Konwinski, A. D. Joseph, R. Katz and I. Stoica,
 * <i>Improving MapReduce Performance in Heterogeneous Environments</i>, OSDI 2008): copy the task
 * with the Longest Approximate Time to End, if it is slower than most of its kind, and never more
 * than a small part of the workers at a time. LATE takes the time to the end from the progress that
 * a map or reduce task reports. Commands report none; all that is known is how long others of their
 * type took. Until a task has taken as long as three quarters of these (LATE's threshold for slow
 * tasks) it is no straggler. From then on it is taken to be as far from its end as it is late,
 * which is to say: what has taken a minute too long will take another. A copy pays when that is
 * more than the copy itself takes, with its inputs. Whoever follows this rule takes no more than
 * twice as long as somebody who knew beforehand.
 */
final class Stragglers {

  /**
   * Below it no attempt has a copy: the worker asks before the commit only when it has had the
   * attempt for a while ({@link TaskOrder#ASK_AFTER_MILLIS}), counted from when the order was
   * given. A worker that has heard nothing for the rest of this time takes the link for cut, and
   * asks in any case. So none whose attempt has a copy can fail to ask.
   */
  static final double LEAST_SECONDS =
      (TaskOrder.ASK_AFTER_MILLIS + TaskOrder.LINK_TIMEOUT_MILLIS) / 1_000.0;

  /** LATE's cap on speculative tasks. */
  private static final double MOST_OF_WORKERS = 0.1;

  /** On a small cluster a tenth would be less than the tasks of one slow node. */
  private static final int LEAST_CAP = 2;

  private Stragglers() {}

  /**
   * A task that runs, and that may have a copy.
   *
   * @param task its id
   * @param elapsedSeconds how long it has run, with the time for its inputs
   * @param expectedSeconds what half of its type take at most
   * @param slowSeconds what three quarters of its type take at most
   * @param copySeconds what a copy would take, with the time for its inputs
   */
  record Runner(
      String task,
      double elapsedSeconds,
      double expectedSeconds,
      double slowSeconds,
      double copySeconds) {

    /** The same where a copy would take so many seconds. */
    Runner copiedIn(double seconds) {
      return new Runner(task, elapsedSeconds, expectedSeconds, slowSeconds, seconds);
    }

    /** How far from its end it is taken to be. */
    double secondsLeft() {
      return elapsedSeconds <= slowSeconds
          ? Math.max(0, expectedSeconds - elapsedSeconds)
          : elapsedSeconds - expectedSeconds;
    }

    boolean isStraggler() {
      return elapsedSeconds >= LEAST_SECONDS
          && elapsedSeconds > slowSeconds
          && secondsLeft() > copySeconds;
    }
  }

  /** How many copies there may be at a time. */
  static int cap(int workers) {
    return Math.max(LEAST_CAP, (int) (workers * MOST_OF_WORKERS));
  }

  /**
   * Chooses.
   *
   * @param runners what runs and has no copy
   * @param most how many may be chosen
   * @return those that are to have a copy, the one with the longest time to its end first
   */
  static List<Runner> choose(List<Runner> runners, int most) {
    List<Runner> stragglers = new ArrayList<>(runners);
    stragglers.removeIf(runner -> !runner.isStraggler());
    stragglers.sort(
        Comparator.comparingDouble(Runner::secondsLeft).reversed().thenComparing(Runner::task));
    return List.copyOf(stragglers.subList(0, Math.min(Math.max(0, most), stragglers.size())));
  }
}
