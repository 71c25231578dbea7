package dev.weir.workflow.scheduler.api;

import java.util.List;

/**
 * The progress of a run.
 *
 * @param done number of done tasks
 * @param ready number of tasks that wait for a worker
 * @param running ids of running tasks
 * @param failedAttempts number of attempts that failed or were lost
 * @param inputBytesLocal input bytes that the reading node had, in HDFS or in its cache
 * @param inputBytesRemote input bytes read from other nodes
 */
public record Progress(
    int tasks,
    int done,
    int ready,
    List<String> running,
    int workers,
    int failedAttempts,
    long inputBytesLocal,
    long inputBytesRemote) {

  public Progress {
    running = List.copyOf(running);
  }

  /** The sum of this and another progress, with the running tasks and workers of this one. */
  public Progress plus(Progress other) {
    return new Progress(
        tasks + other.tasks,
        done + other.done,
        ready + other.ready,
        running,
        workers,
        failedAttempts + other.failedAttempts,
        inputBytesLocal + other.inputBytesLocal,
        inputBytesRemote + other.inputBytesRemote);
  }

  /**
   * Details of the progress for users.
   *
   * @param paused whether the whole run is paused
   * @param held number of paused tasks
   * @param dropped number of dropped tasks
   * @param reused number of tasks that an earlier run has done
   * @param types progress of the tasks by type, in the order of the types
   * @param running running tasks, at most 200
   * @param failures the last attempts that failed or were lost, oldest first
   * @param givenUp tasks that will not be done, with some of their attempts
   * @param waiting ready tasks for which no ordinary worker has what they need, most tasks first,
   *     at most 10 kinds
   */
  public record Details(
      boolean paused,
      int held,
      int dropped,
      int reused,
      List<TypeCount> types,
      List<Running> running,
      List<Failed> failures,
      GivenUp givenUp,
      List<WaitingCount> waiting) {

    /** Empty details. */
    public static final Details NONE =
        new Details(false, 0, 0, 0, List.of(), List.of(), List.of(), GivenUp.NONE, List.of());

    public Details {
      types = List.copyOf(types);
      running = List.copyOf(running);
      failures = List.copyOf(failures);
      waiting = List.copyOf(waiting);
    }
  }

  /**
   * Ready tasks that wait for dedicated workers.
   *
   * @param needs what such a worker must have, such as "1 core, and 1 of yarn.io/gpu"
   * @param tasks number of tasks that wait
   */
  public record WaitingCount(String needs, int tasks) {}

  /**
   * The progress of the tasks of a type.
   *
   * @param waiting number of tasks with missing inputs
   * @param ready number of tasks that wait for a worker
   */
  public record TypeCount(
      String type, int waiting, int ready, int running, int done, int dropped) {}

  /**
   * A running task.
   *
   * @param sinceMillis since when it runs, in milliseconds since the epoch
   */
  public record Running(String task, int attempt, String worker, String node, long sinceMillis) {}

  /**
   * An attempt that failed or was lost.
   *
   * @param exitCode exit code of the command; -1 when it did not run to its end
   * @param line the first line of its error output, or of the reason for the failure
   */
  public record Failed(String task, int attempt, String node, int exitCode, String line) {}
}
