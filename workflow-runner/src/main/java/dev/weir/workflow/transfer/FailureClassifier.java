package dev.weir.workflow.transfer;

import dev.weir.workflow.hdfs.HdfsRefusals;
import dev.weir.workflow.process.TaskProcess;
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
 * Whose trouble it is when an attempt's files cannot be moved, and what to do about it: another try
 * cures some, another node cures others, and some only a person does.
 *
 * @param result how the attempt ends
 * @param message what went wrong and the remedy, in one line
 */
public record FailureClassifier(Result result, String message) {

  private static final List<String> FULL =
      List.of("No space left on device", "Disk quota exceeded");

  private static final List<String> BROKEN = List.of("Input/output error", "Read-only file system");

  /** Whether the disk of this machine was full. */
  public static boolean isFullDisk(Exception problem) {
    return saysOfThisDisk(problem, FULL);
  }

  /**
   * That a disk is full, and the remedy.
   *
   * @param place the worker's node and its directory, as a person would find it
   */
  public static String full(String place) {
    return "the disk of " + place + " is full: free space there, or give the node more";
  }

  /**
   * Looks at what an attempt failed with.
   *
   * @param problem what it failed with
   * @param place the worker's node and its directory, as a person would find it
   */
  public static FailureClassifier of(Exception problem, String place) {
    String said = ErrorMessages.firstLine(problem);
    String explained = HdfsRefusals.explained(problem);
    if (HdfsRefusals.isForGood(problem)) {
      return new FailureClassifier(Result.REFUSED, explained);
    }
    if (saysOfThisDisk(problem, FULL)) {
      return new FailureClassifier(Result.NODE_UNFIT, said + ": " + full(place));
    }
    if (saysOfThisDisk(problem, BROKEN)) {
      return new FailureClassifier(
          Result.NODE_UNFIT, said + ": the disk of " + place + " fails: see the node's dmesg");
    }
    if (ErrorMessages.chain(problem)
        .anyMatch(
            cause ->
                cause instanceof TaskProcess.LostException lost && lost.isPerhapsByCommand())) {
      return new FailureClassifier(Result.COMMAND_LOST, said);
    }
    boolean itsOwn = !HdfsRefusals.isForNow(problem) && isTheTasks(problem);
    return new FailureClassifier(itsOwn ? Result.FAILED : Result.INFRASTRUCTURE, explained);
  }

  /**
   * Whether it is about the task's own files on this machine, such as an output that the command
   * has made unreadable, or a plan that nobody can follow.
   */
  private static boolean isTheTasks(Throwable problem) {
    return ErrorMessages.chain(problem).noneMatch(cause -> cause instanceof RemoteException)
        && ErrorMessages.chain(problem)
            .anyMatch(
                cause ->
                    cause instanceof FileSystemException
                        || cause instanceof InputTooShortException
                        || cause instanceof StageOut.OutputMissingException
                        || cause instanceof RuntimeException);
  }

  /** Whether files of this machine are the trouble, and not those of HDFS. */
  public static boolean isOfThisDisk(Throwable problem) {
    return saysOfThisDisk(problem, FULL)
        || saysOfThisDisk(problem, BROKEN)
        || (ErrorMessages.chain(problem).noneMatch(cause -> cause instanceof RemoteException)
            && ErrorMessages.chain(problem)
                .anyMatch(cause -> cause instanceof FileSystemException));
  }

  /** Whether a disk of this machine is so. What other machines say is not about this one. */
  private static boolean saysOfThisDisk(Throwable problem, List<String> words) {
    return ErrorMessages.chain(problem).noneMatch(cause -> cause instanceof RemoteException)
        && ErrorMessages.chain(problem).anyMatch(cause -> says(cause, words));
  }

  private static boolean says(Throwable problem, List<String> words) {
    if (!(problem instanceof IOException)) {
      return false;
    }
    String text =
        problem instanceof FileSystemException named
            ? String.valueOf(named.getReason())
            : String.valueOf(problem.getMessage());
    return words.stream().anyMatch(text::contains);
  }

  /** Whether somebody was told to stop, and it failed by that. */
  public static boolean isInterrupt(Throwable problem) {
    return problem instanceof ClosedByInterruptException
        || (problem instanceof InterruptedIOException
            && !(problem instanceof SocketTimeoutException));
  }
}
