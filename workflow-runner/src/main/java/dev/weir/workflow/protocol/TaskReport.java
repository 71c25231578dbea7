package dev.weir.workflow.protocol;

import dev.weir.workflow.record.ReadFile;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.record.StoredFile;
import java.util.List;

/**
 * The report on the end of an attempt of a task.
 *
 * @param exitCode exit code of the command; -1 if it did not run to its end
 * @param message the error, in one line; empty if there was none
 * @param outputTail the end of what the command printed: of stderr after a failure, or of stdout if
 *     stderr is empty; of stdout after the success of a single job; else empty
 * @param outputs files that were committed
 * @param usage time and bytes by phase
 * @param inputs files that it read, in the order of the task's inputs; empty if it failed before
 * @param effort processor time and memory of its command
 */
public record TaskReport(
    String task,
    int attempt,
    Result result,
    int exitCode,
    String message,
    String outputTail,
    List<String> lostInputs,
    List<StoredFile> outputs,
    Usage usage,
    List<ReadFile> inputs,
    ResourceUse effort) {

  /** Exit code of an attempt whose command did not run to its end. */
  public static final int NO_EXIT_CODE = -1;

  /** The longest line of a command's output that is shown, in characters. */
  static final int MAX_PRINTED = 300;

  /**
   * The longest message of the worker that is shown, in characters. Such messages contain paths and
   * end with the remedy.
   */
  static final int MAX_MESSAGE = 2_000;

  private static final String CUT = "...";

  public TaskReport {
    lostInputs = List.copyOf(lostInputs);
    outputs = List.copyOf(outputs);
    inputs = List.copyOf(inputs);
  }

  /** Creates a report without inputs and resource use. */
  public TaskReport(
      String task,
      int attempt,
      Result result,
      int exitCode,
      String message,
      String outputTail,
      List<String> lostInputs,
      List<StoredFile> outputs,
      Usage usage) {
    this(
        task,
        attempt,
        result,
        exitCode,
        message,
        outputTail,
        lostInputs,
        outputs,
        usage,
        List.of(),
        ResourceUse.NONE);
  }

  /**
   * Returns a copy with other files.
   *
   * @param lost ids of inputs that are lost
   * @param read files that it read, in the order of the task's inputs
   */
  public TaskReport withFiles(List<String> lost, List<StoredFile> committed, List<ReadFile> read) {
    return new TaskReport(
        task, attempt, result, exitCode, message, outputTail, lost, committed, usage, read, effort);
  }

  /**
   * Returns the first line of the error. If the command exited with an error, it is the first line
   * of its output, or else the message. Otherwise it is the message, which names node, path and
   * remedy.
   *
   * @return one line, of at most 300 characters from the output or 2,000 from the message; empty if
   *     there is none
   */
  public String firstLine() {
    boolean workerMessage = (result != Result.FAILED || exitCode == 0) && !message.isBlank();
    String printed = workerMessage ? "" : firstOf(outputTail);
    return printed.isEmpty() ? cut(firstOf(message), MAX_MESSAGE) : cut(printed, MAX_PRINTED);
  }

  private static String firstOf(String text) {
    return text.lines().filter(line -> !line.isBlank()).findFirst().orElse("");
  }

  private static String cut(String line, int most) {
    if (line.length() <= most) {
      return line;
    }
    int end = most - CUT.length();
    // Half of a surrogate pair cannot be encoded.
    boolean halved = Character.isHighSurrogate(line.charAt(end - 1));
    return line.substring(0, halved ? end - 1 : end) + CUT;
  }

  public enum Result {
    /** The command exited with 0 and all outputs are committed. */
    SUCCEEDED,
    /** The command failed, or did not write its outputs. */
    FAILED,
    /**
     * HDFS could not be read or written, or the command could not be started. A retry on another
     * node may succeed.
     */
    INFRASTRUCTURE,
    /** HDFS refuses its files for a reason that no retry and no other node changes. */
    REFUSED,
    /** The kernel has killed the command for lack of memory. */
    MEMORY_EXCEEDED,
    /**
     * Its node cannot run attempts now, for example for lack of disk space. The task is not the
     * cause.
     */
    NODE_UNFIT,
    /** Inputs are lost. The task is not the cause. */
    INPUT_LOST,
    /**
     * Inputs cannot be read now, although they exist according to the NameNode. The task is not the
     * cause.
     */
    INPUT_UNREADABLE,
    /** The worker is gone. The ApplicationMaster reports it in the worker's place. */
    WORKER_LOST,
    /** The attempt was recalled before its command had started. */
    RECALLED,
    /** The command was killed because the task is not needed any more. */
    STOPPED
  }

  /**
   * Time in milliseconds and bytes by phase.
   *
   * @param stageInLocalMillis part of the stage-in spent on bytes of this node
   * @param stageInRemoteMillis part of the stage-in spent on bytes of other nodes
   * @param runMillis from start to end of the command
   * @param stageOutMillis from the command's end to the last commit
   * @param inputBytesLocal bytes read from this node
   * @param inputBytesRemote bytes read from other nodes
   * @param outputBytes bytes of the outputs, each counted once
   * @param outputBytesRemote bytes of replicas on other nodes
   * @param inputBytesCached bytes that this node had from an earlier task
   * @param cacheBytes size of this node's cache at the end
   * @param diskFreeBytes free space of this worker's disk at the end; 0 if not measured
   */
  public record Usage(
      long stageInLocalMillis,
      long stageInRemoteMillis,
      long runMillis,
      long stageOutMillis,
      long inputBytesLocal,
      long inputBytesRemote,
      long outputBytes,
      long outputBytesRemote,
      long inputBytesCached,
      long cacheBytes,
      long diskFreeBytes) {

    public static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0, 0, 0);

    /** Creates the usage of an attempt without cached inputs, on a node whose fill is unknown. */
    public Usage(
        long stageInLocalMillis,
        long stageInRemoteMillis,
        long runMillis,
        long stageOutMillis,
        long inputBytesLocal,
        long inputBytesRemote,
        long outputBytes,
        long outputBytesRemote) {
      this(
          stageInLocalMillis,
          stageInRemoteMillis,
          runMillis,
          stageOutMillis,
          inputBytesLocal,
          inputBytesRemote,
          outputBytes,
          outputBytesRemote,
          0,
          0,
          0);
    }
  }

  /** Creates the report of an attempt that was recalled before its command had started. */
  public static TaskReport recalled(String task, int attempt) {
    return without(task, attempt, Result.RECALLED, "");
  }

  /** Creates the report of an attempt whose command was killed on request. */
  public static TaskReport stopped(String task, int attempt) {
    return without(task, attempt, Result.STOPPED, "cancelled");
  }

  /**
   * Creates the report of an attempt whose worker is gone.
   *
   * @param message why the worker is taken for lost
   */
  public static TaskReport workerLost(String task, int attempt, String message) {
    return without(task, attempt, Result.WORKER_LOST, message);
  }

  /**
   * Creates the report of an attempt that was sent to no worker.
   *
   * @param message why it was not sent, and why a retry would not be either
   */
  public static TaskReport refused(String task, int attempt, String message) {
    return without(task, attempt, Result.REFUSED, message);
  }

  private static TaskReport without(String task, int attempt, Result result, String message) {
    return new TaskReport(
        task, attempt, result, NO_EXIT_CODE, message, "", List.of(), List.of(), Usage.NONE);
  }
}
