package dev.weir.workflow.jobs;

/**
 * The status of a job. Times are in milliseconds since the epoch, 0 while unknown.
 *
 * @param tag the kind of job
 * @param attempts how many attempts were begun
 * @param result how the last attempt ended
 * @param times when it was submitted, started and ended
 * @param traffic the bytes that the last attempt moved
 * @param number in the order in which jobs ended; 0 while it has not
 */
public record JobStatus(
    String id,
    String tag,
    JobState state,
    int attempts,
    Result result,
    Times times,
    Traffic traffic,
    long number) {

  /** Exit code of a command that did not run to its end. */
  public static final int NO_EXIT_CODE = -1;

  /**
   * The result of an attempt.
   *
   * @param exitCode exit code of the command; {@link #NO_EXIT_CODE} when it did not run to its end
   * @param node host name of the node; empty when it did not run
   * @param message the failure in one line; empty for none
   * @param outputTail the end of what the command printed: of stdout if it succeeded; of stderr if
   *     it failed, or of stdout if stderr is empty
   */
  public record Result(int exitCode, String node, String message, String outputTail) {

    /** No attempt has ended. */
    public static final Result NONE = new Result(NO_EXIT_CODE, "", "", "");
  }

  /**
   * The times of a job.
   *
   * @param submitted when it was submitted
   * @param started when the last attempt was sent to a worker
   * @param ended when the job ended
   * @param runMillis how long the command of the last attempt ran, in milliseconds
   */
  public record Times(long submitted, long started, long ended, long runMillis) {}

  /**
   * Bytes that an attempt moved.
   *
   * @param inputLocal read on the node that holds them
   * @param inputRemote read from other nodes
   * @param output written, each counted once
   */
  public record Traffic(long inputLocal, long inputRemote, long output) {

    public static final Traffic NONE = new Traffic(0, 0, 0);
  }
}
