package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.text.HdfsRefusals;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Whose trouble it is when an attempt's files cannot be moved, and what to do about it: another try
 * cures some, another node cures others, and some only a person does.
 *
 * @param result how the attempt ends
 * @param message what went wrong and the remedy, in one line
 */
public record Trouble(Result result, String message) {

  private static final List<String> FULL =
      List.of("No space left on device", "Disk quota exceeded");

  private static final List<String> BROKEN = List.of("Input/output error", "Read-only file system");

  /** Whether the disk of this machine was full. */
  static boolean isFullDisk(Exception problem) {
    return saysOfThisDisk(problem, FULL);
  }

  /**
   * Says what went wrong with a file in HDFS.
   *
   * @param problem what it went wrong with
   * @return that, and the remedy where one is known, in one line
   */
  public static String inHdfs(Exception problem) {
    return of(problem, "this node").message();
  }

  /**
   * That a disk is full, and the remedy.
   *
   * @param place the worker's node and its directory, as a person would find it
   */
  static String full(String place) {
    return "the disk of " + place + " is full: free space there, or give the node more";
  }

  /**
   * Looks at what an attempt failed with.
   *
   * @param problem what it failed with
   * @param place the worker's node and its directory, as a person would find it
   */
  static Trouble of(Exception problem, String place) {
    String said = firstLine(problem);
    String refusal = HdfsRefusals.remedy(problem);
    if (refusal != null) {
      return new Trouble(Result.REFUSED, said + ": " + refusal);
    }
    if (saysOfThisDisk(problem, FULL)) {
      return new Trouble(Result.NODE_UNFIT, said + ": " + full(place));
    }
    if (saysOfThisDisk(problem, BROKEN)) {
      return new Trouble(
          Result.NODE_UNFIT, said + ": the disk of " + place + " fails: see the node's dmesg");
    }
    if (chain(problem)
        .anyMatch(
            cause ->
                cause instanceof TaskProcess.LostException lost && lost.isPerhapsByCommand())) {
      return new Trouble(Result.COMMAND_LOST, said);
    }
    if (Patience.isSafeMode(problem)) {
      return new Trouble(
          Result.INFRASTRUCTURE,
          said
              + ": safe mode has lasted too long: see 'hdfs dfsadmin -safemode get' and, when all"
              + " DataNodes are there, end it by 'hdfs dfsadmin -safemode leave'");
    }
    if (Patience.isAway(problem)) {
      return new Trouble(
          Result.INFRASTRUCTURE,
          said
              + ": the NameNode has been away for too long: see its log and, of two, 'hdfs haadmin"
              + " -getAllServiceState'");
    }
    if (HdfsRefusals.isWithoutRoom(problem)) {
      return new Trouble(Result.INFRASTRUCTURE, said + ": " + HdfsRefusals.NO_ROOM);
    }
    return new Trouble(isTheTasks(problem) ? Result.FAILED : Result.INFRASTRUCTURE, said);
  }

  /**
   * Whether it is about the task's own files on this machine, such as an output that the command
   * has made unreadable, or a plan that nobody can follow.
   */
  private static boolean isTheTasks(Throwable problem) {
    return chain(problem).noneMatch(cause -> cause instanceof RemoteException)
        && chain(problem)
            .anyMatch(
                cause ->
                    cause instanceof FileSystemException
                        || cause instanceof InputTooShortException
                        || cause instanceof StageOut.OutputMissingException
                        || cause instanceof RuntimeException);
  }

  /** Whether files of this machine are the trouble, and not those of HDFS. */
  static boolean isOfThisDisk(Throwable problem) {
    return saysOfThisDisk(problem, FULL)
        || saysOfThisDisk(problem, BROKEN)
        || (chain(problem).noneMatch(cause -> cause instanceof RemoteException)
            && chain(problem).anyMatch(cause -> cause instanceof FileSystemException));
  }

  /** Whether a disk of this machine is so. What other machines say is not about this one. */
  private static boolean saysOfThisDisk(Throwable problem, List<String> words) {
    return chain(problem).noneMatch(cause -> cause instanceof RemoteException)
        && chain(problem).anyMatch(cause -> says(cause, words));
  }

  private static boolean says(Throwable problem, List<String> words) {
    if (!(problem instanceof IOException)) {
      return false;
    }
    String text =
        problem instanceof FileSystemException named
            ? String.valueOf(named.getReason())
            : message(problem);
    return words.stream().anyMatch(text::contains);
  }

  /** Whether somebody was told to stop, and it failed by that. */
  static boolean isInterrupt(Throwable problem) {
    return problem instanceof ClosedByInterruptException
        || (problem instanceof InterruptedIOException
            && !(problem instanceof SocketTimeoutException));
  }

  /** A problem and what caused it, the outermost first. */
  static Stream<Throwable> chain(Throwable problem) {
    return HdfsRefusals.chain(problem);
  }

  private static String message(Throwable problem) {
    return String.valueOf(problem.getMessage());
  }

  /** What comes over from a NameNode brings its stack along. */
  static String firstLine(Throwable problem) {
    return HdfsRefusals.firstLine(problem);
  }
}
