package dev.weir.workflow.transfer;

import dev.weir.workflow.hdfs.HdfsRefusals;
import dev.weir.workflow.image.ContainerException;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.text.ErrorMessages;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.util.List;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Classifies a failure to move an attempt's files as the task's, the node's or the cluster's.
 *
 * @param result how the attempt ends
 * @param message the failure and the remedy, in one line
 */
public record FailureClassifier(Result result, String message) {

  private static final List<String> FULL =
      List.of("No space left on device", "Disk quota exceeded");

  private static final List<String> BROKEN = List.of("Input/output error", "Read-only file system");

  /** Returns whether a disk of this machine was full. */
  public static boolean isFullDisk(Exception problem) {
    return isLocalDiskError(problem, FULL);
  }

  /**
   * Returns a message that a disk is full, with the remedy.
   *
   * @param place the worker's node and directory, as a user would find them
   */
  public static String full(String place) {
    return "the disk of " + place + " is full: free space there, or give the node more";
  }

  /**
   * Classifies a failure.
   *
   * @param problem the exception that ended the attempt
   * @param place the worker's node and directory, as a user would find them
   */
  public static FailureClassifier of(Exception problem, String place) {
    String firstLine = ErrorMessages.firstLine(problem);
    String explained = HdfsRefusals.explained(problem);
    if (HdfsRefusals.isPermanent(problem)) {
      return new FailureClassifier(Result.REFUSED, explained);
    }
    if (isLocalDiskError(problem, FULL)) {
      return new FailureClassifier(Result.NODE_UNFIT, firstLine + ": " + full(place));
    }
    if (isLocalDiskError(problem, BROKEN)) {
      return new FailureClassifier(
          Result.NODE_UNFIT, firstLine + ": the disk of " + place + " fails: see the node's dmesg");
    }
    if (problem instanceof ContainerException container) {
      return new FailureClassifier(container.result(), firstLine);
    }
    boolean taskFault = !HdfsRefusals.isTemporary(problem) && isCausedByTask(problem);
    return new FailureClassifier(taskFault ? Result.FAILED : Result.INFRASTRUCTURE, explained);
  }

  /**
   * Returns whether the failure is about the task's own files on this machine, such as an output
   * that the command made unreadable, or an order that cannot be carried out.
   */
  private static boolean isCausedByTask(Throwable problem) {
    return ErrorMessages.chain(problem).noneMatch(cause -> cause instanceof RemoteException)
        && ErrorMessages.chain(problem)
            .anyMatch(
                cause ->
                    cause instanceof FileSystemException
                        || cause instanceof InputTooShortException
                        || cause instanceof StageOut.InvalidOutputException
                        || cause instanceof RuntimeException);
  }

  /** Returns whether local files caused the failure, rather than files in HDFS. */
  public static boolean isLocalFileError(Throwable problem) {
    return isLocalDiskError(problem, FULL)
        || isLocalDiskError(problem, BROKEN)
        || (ErrorMessages.chain(problem).noneMatch(cause -> cause instanceof RemoteException)
            && ErrorMessages.chain(problem)
                .anyMatch(cause -> cause instanceof FileSystemException));
  }

  /**
   * Returns whether a disk of this machine reported the error. Messages from other machines do not
   * count.
   */
  private static boolean isLocalDiskError(Throwable problem, List<String> phrases) {
    return ErrorMessages.chain(problem).noneMatch(cause -> cause instanceof RemoteException)
        && ErrorMessages.chain(problem).anyMatch(cause -> messageContains(cause, phrases));
  }

  private static boolean messageContains(Throwable problem, List<String> phrases) {
    if (!(problem instanceof IOException)) {
      return false;
    }
    String text =
        problem instanceof FileSystemException named
            ? String.valueOf(named.getReason())
            : String.valueOf(problem.getMessage());
    return phrases.stream().anyMatch(text::contains);
  }

  /** Returns whether the failure is due to an interrupt of the thread. */
  public static boolean isInterrupt(Throwable problem) {
    return problem instanceof ClosedByInterruptException
        || (problem instanceof InterruptedIOException
            && !(problem instanceof SocketTimeoutException));
  }
}
