package dev.weir.workflow.protocol;

import dev.weir.workflow.record.ReadFile;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.record.StoredFile;
import java.util.List;

/**
 * How an attempt at a task ended.
 *
 * @param task id of the task
 * @param attempt number of the attempt
 * @param result how it ended
 * @param exitCode exit code of the command; -1 when it did not run to its end
 * @param message what went wrong, in one line; empty when nothing did
 * @param stderrTail the end of what the command wrote to stderr
 * @param lostInputs ids of inputs that could not be read any more
 * @param outputs what was committed
 * @param usage the time and the bytes that it took
 * @param inputs what it read, in the order of the task's inputs; empty when it did not get that far
 * @param effort what its command took of the node
 */
public record TaskReport(
    String task,
    int attempt,
    Result result,
    int exitCode,
    String message,
    String stderrTail,
    List<String> lostInputs,
    List<StoredFile> outputs,
    Usage usage,
    List<ReadFile> inputs,
    ResourceUse effort) {

  /** Exit code of an attempt whose command did not run to its end. */
  public static final int NO_EXIT_CODE = -1;

  /** The longest line that is kept of what a command printed, in characters. */
  static final int LONGEST_PRINTED = 300;

  /** The longest of ours, which have paths in them and the remedy last. */
  static final int LONGEST_OURS = 2_000;

  private static final String CUT = "...";

  /** Copies. */
  public TaskReport {
    lostInputs = List.copyOf(lostInputs);
    outputs = List.copyOf(outputs);
    inputs = List.copyOf(inputs);
  }

  /**
   * A report that says nothing of what was read, nor of what the command took.
   *
   * @param task id of the task
   * @param attempt number of the attempt
   * @param result how it ended
   * @param exitCode exit code of the command; -1 when it did not run to its end
   * @param message what went wrong, in one line
   * @param stderrTail the end of what the command wrote to stderr
   * @param lostInputs ids of inputs that could not be read any more
   * @param outputs what was committed
   * @param usage the time and the bytes that it took
   */
  public TaskReport(
      String task,
      int attempt,
      Result result,
      int exitCode,
      String message,
      String stderrTail,
      List<String> lostInputs,
      List<StoredFile> outputs,
      Usage usage) {
    this(
        task,
        attempt,
        result,
        exitCode,
        message,
        stderrTail,
        lostInputs,
        outputs,
        usage,
        List.of(),
        ResourceUse.NONE);
  }

  /**
   * The same with other files.
   *
   * @param lost ids of inputs that could not be read any more
   * @param committed what was committed
   * @param read what it read, in the order of the task's inputs
   * @return the report
   */
  public TaskReport withFiles(List<String> lost, List<StoredFile> committed, List<ReadFile> read) {
    return new TaskReport(
        task, attempt, result, exitCode, message, stderrTail, lost, committed, usage, read, effort);
  }

  /**
   * What an attempt that was no success says of itself: the first line that the command printed of
   * what is known, or else what we say of it, which comes first where it is not the command that is
   * to blame: that names the node, the place and the remedy.
   *
   * @return one line of at most 300 characters of what the command printed, or of at most 2,000 of
   *     ours; empty when there is nothing
   */
  public String firstLine() {
    boolean ours = result != Result.FAILED && !message.isBlank();
    String printed = ours ? "" : firstOf(stderrTail);
    return printed.isEmpty() ? cut(firstOf(message), LONGEST_OURS) : cut(printed, LONGEST_PRINTED);
  }

  private static String firstOf(String text) {
    return text.lines().filter(line -> !line.isBlank()).findFirst().orElse("");
  }

  private static String cut(String line, int most) {
    if (line.length() <= most) {
      return line;
    }
    int end = most - CUT.length();
    // Half a character could not be written to any file.
    boolean halved = Character.isHighSurrogate(line.charAt(end - 1));
    return line.substring(0, halved ? end - 1 : end) + CUT;
  }

  /** How an attempt ends. */
  public enum Result {
    /** The command exited with 0 and all outputs are committed. */
    SUCCEEDED,
    /** The command failed, or did not make what it is to make. */
    FAILED,
    /** HDFS could not be read or written, or the command not be started; elsewhere it may do. */
    INFRASTRUCTURE,
    /** The shell that started the command has ended first: by chance, or by the command's doing. */
    COMMAND_LOST,
    /** HDFS refuses its files for a reason that no other try and no other node changes. */
    REFUSED,
    /** The kernel has killed the command for want of memory. */
    MEMORY_EXCEEDED,
    /** Its node cannot make attempts now, such as for want of disk space; not the task's fault. */
    NODE_UNFIT,
    /** Inputs are gone; it is not the task's fault. */
    INPUT_LOST,
    /** Inputs cannot be read now, and are there as far as the NameNode knows; not its fault. */
    INPUT_UNREADABLE,
    /** The worker is gone; said by the ApplicationMaster in the worker's place. */
    WORKER_LOST,
    /** The command had not begun when the attempt was asked back; nothing was done. */
    RECALLED,
    /** The command was killed because nobody wants the task any more. */
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
      long inputBytesCached) {

    /** Nothing used. */
    public static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /**
     * Of an attempt that found nothing on its node.
     *
     * @param stageInLocalMillis part of the stage-in spent on bytes of this node
     * @param stageInRemoteMillis part of the stage-in spent on bytes of other nodes
     * @param runMillis from start to end of the command
     * @param stageOutMillis from the command's end to the last commit
     * @param inputBytesLocal bytes read from this node
     * @param inputBytesRemote bytes read from other nodes
     * @param outputBytes bytes of the outputs, each counted once
     * @param outputBytesRemote bytes of replicas on other nodes
     */
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
          0);
    }
  }

  /**
   * The report of an attempt that was asked back before its command had begun.
   *
   * @param task id of the task
   * @param attempt number of the attempt
   * @return the report
   */
  public static TaskReport recalled(String task, int attempt) {
    return without(task, attempt, Result.RECALLED, "");
  }

  /**
   * The report of an attempt whose command was killed on request.
   *
   * @param task id of the task
   * @param attempt number of the attempt
   * @return the report
   */
  public static TaskReport stopped(String task, int attempt) {
    return without(task, attempt, Result.STOPPED, "cancelled");
  }

  /**
   * The report of an attempt whose worker is gone.
   *
   * @param task id of the task
   * @param attempt number of the attempt
   * @param message why the worker is taken for lost
   * @return the report
   */
  public static TaskReport workerLost(String task, int attempt, String message) {
    return without(task, attempt, Result.WORKER_LOST, message);
  }

  /**
   * An attempt that no worker was told to make.
   *
   * @param task id of the task
   * @param attempt number of the attempt
   * @param message why not, and why no other would be made either
   * @return the report
   */
  public static TaskReport refused(String task, int attempt, String message) {
    return without(task, attempt, Result.REFUSED, message);
  }

  /** Of an attempt of which nothing is known but how it ended. */
  private static TaskReport without(String task, int attempt, Result result, String message) {
    return new TaskReport(
        task, attempt, result, NO_EXIT_CODE, message, "", List.of(), List.of(), Usage.NONE);
  }
}
