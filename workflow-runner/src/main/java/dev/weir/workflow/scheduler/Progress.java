package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.TaskReport;
import java.util.List;

/**
 * How far a run is.
 *
 * @param tasks tasks of the workflow
 * @param done tasks that are done
 * @param ready tasks that wait for a worker
 * @param running ids of the tasks that run
 * @param workers live workers
 * @param failedAttempts attempts that failed or were lost
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

  /** Copies. */
  public Progress {
    running = List.copyOf(running);
  }

  /** The sum of this and another, with what runs here. */
  Progress plus(Progress other) {
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
   * What a person wants to know beyond the numbers.
   *
   * @param paused whether the whole run is paused
   * @param held tasks that are not to be begun for now
   * @param dropped tasks that will not be done
   * @param reused tasks whose results were taken over from an earlier run
   * @param types how far the tasks of each type are, by name
   * @param running tasks that run, some of them where there are many
   * @param failures attempts that failed or were lost, the last ones, oldest first
   * @param givenUp what was given up, with some of the attempts
   */
  public record Details(
      boolean paused,
      int held,
      int dropped,
      int reused,
      List<TypeCount> types,
      List<Running> running,
      List<Failed> failures,
      GivenUp givenUp) {

    /** Nothing is known. */
    public static final Details NONE =
        new Details(false, 0, 0, 0, List.of(), List.of(), List.of(), GivenUp.NONE);

    /** Copies. */
    public Details {
      types = List.copyOf(types);
      running = List.copyOf(running);
      failures = List.copyOf(failures);
      givenUp = GivenUp.orNone(givenUp);
    }
  }

  /**
   * How far the tasks of a type are.
   *
   * @param type the type
   * @param waiting tasks that need something that is not there
   * @param ready tasks that wait for a worker
   * @param running tasks that run
   * @param done tasks that are done
   * @param dropped tasks that will not be done
   */
  public record TypeCount(
      String type, int waiting, int ready, int running, int done, int dropped) {}

  /**
   * A task that runs.
   *
   * @param task its id
   * @param attempt number of the attempt
   * @param worker id of the worker
   * @param node host name of the worker's node
   * @param sinceMillis since when, in milliseconds since the epoch
   */
  public record Running(String task, int attempt, String worker, String node, long sinceMillis) {}

  /**
   * An attempt that failed or was lost.
   *
   * @param task id of the task
   * @param attempt number of the attempt
   * @param node host name of its node
   * @param exitCode exit code of the command; -1 when it did not run to its end
   * @param line what it said, or what is said of it
   */
  public record Failed(String task, int attempt, String node, int exitCode, String line) {

    /** What a worker of a node says of an attempt that was no success. */
    static Failed of(TaskState task, String node, TaskReport report) {
      return new Failed(
          task.task.id(), report.attempt(), node, report.exitCode(), report.firstLine());
    }
  }
}
