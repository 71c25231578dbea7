package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.TaskOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses the running tasks that get a second copy on an idle worker. Pure.
 *
 * <p>The rule is that of LATE (M. Zaharia, A. Konwinski, A. D. Joseph, R. Katz and I. Stoica,
 * <i>Improving MapReduce Performance in Heterogeneous Environments</i>, OSDI 2008): copy the task
 * with the Longest Approximate Time to End, if it is slower than most of its kind, and never let
 * copies occupy more than a small part of the workers. LATE estimates the time to the end from the
 * progress that map and reduce tasks report. Commands report no progress; only the run times of
 * other tasks of the type are known. A task is no straggler until it has run longer than three
 * quarters of these (LATE's threshold for slow tasks). From then on, its remaining time is assumed
 * to be the time by which it is late: a task that is a minute late will take another minute. A copy
 * pays if that is more than the copy takes, including its inputs. With this rule a task takes at
 * most twice as long as with perfect knowledge.
 */
final class Stragglers {

  /**
   * Minimum time before a task gets a copy. A worker asks before a commit only when it has had the
   * attempt for a while ({@link TaskOrder#ASK_AFTER_MILLIS}), counted from when the order was sent.
   * A worker that has received nothing for the rest of this time assumes that the connection is
   * cut, and asks in any case. So each attempt with a copy asks before it commits.
   */
  static final double LEAST_SECONDS =
      (TaskOrder.ASK_AFTER_MILLIS + TaskOrder.LINK_TIMEOUT_MILLIS) / 1_000.0;

  /** LATE's limit on speculative tasks. */
  private static final double MOST_OF_WORKERS = 0.1;

  /** On a small cluster, a tenth of the workers would be fewer than the tasks of one slow node. */
  private static final int LEAST_CAP = 2;

  private Stragglers() {}

  /**
   * A running task that may get a copy.
   *
   * @param elapsedSeconds how long it has run, including staging
   * @param expectedSeconds median of its type
   * @param slowSeconds upper quartile of its type
   * @param copySeconds how long a copy would take, including staging
   */
  record RunningTask(
      String task,
      double elapsedSeconds,
      double expectedSeconds,
      double slowSeconds,
      double copySeconds) {

    /** The same task with another time of the copy. */
    RunningTask withCopySeconds(double seconds) {
      return new RunningTask(task, elapsedSeconds, expectedSeconds, slowSeconds, seconds);
    }

    /** Its assumed remaining time. */
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

  /** Maximum number of copies at a time. */
  static int cap(int workers) {
    return Math.max(LEAST_CAP, (int) (workers * MOST_OF_WORKERS));
  }

  /**
   * Chooses the stragglers to copy.
   *
   * @param runningTasks running tasks without a copy
   * @param most maximum number of copies
   * @return the chosen tasks, the longest time to the end first
   */
  static List<RunningTask> choose(List<RunningTask> runningTasks, int most) {
    List<RunningTask> stragglers = new ArrayList<>(runningTasks);
    stragglers.removeIf(runningTask -> !runningTask.isStraggler());
    stragglers.sort(
        Comparator.comparingDouble(RunningTask::secondsLeft)
            .reversed()
            .thenComparing(RunningTask::task));
    return List.copyOf(stragglers.subList(0, Math.min(Math.max(0, most), stragglers.size())));
  }
}
