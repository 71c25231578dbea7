package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsDirectoryException;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Whose trouble it is when an attempt's files cannot be moved, and what to do about it: another try
 * cures some, another node cures others, and some only a person does.
 *
 * @param result how the attempt ends
 * @param message what went wrong and the remedy, in one line
 */
public record Trouble(Result result, String message) {

  private static final String IN_THE_WAY =
      "something else has the name of the file or of its directory: move it away (hdfs dfs -mv), or"
          + " have it written to another directory (--data of a run, serv_path of a job)";

  /** Of the NameNode's own jar, so that clients get them by their names alone. */
  private static final String LIMITS = "org.apache.hadoop.hdfs.protocol.FSLimitException$";

  /** What HDFS says that no other try and no other node would change, with its remedy. */
  private static final Map<String, String> REFUSALS =
      Map.of(
          FileAlreadyExistsException.class.getName(),
          IN_THE_WAY,
          PathIsDirectoryException.class.getName(),
          IN_THE_WAY,
          ParentNotDirectoryException.class.getName(),
          IN_THE_WAY,
          NSQuotaExceededException.class.getName(),
          "remove files there, or have an administrator raise the quota of names (hdfs dfsadmin"
              + " -setQuota N DIR, or -clrQuota DIR); 'hdfs dfs -count -q DIR' shows it",
          DSQuotaExceededException.class.getName(),
          "remove files there, have an administrator raise the quota of space (hdfs dfsadmin"
              + " -setSpaceQuota N DIR, or -clrSpaceQuota DIR), or keep fewer replicas"
              + " (--replication); 'hdfs dfs -count -q DIR' shows it",
          QuotaByStorageTypeExceededException.class.getName(),
          "remove files there, or have an administrator raise the quota of this storage type (hdfs"
              + " dfsadmin -setSpaceQuota N -storageType TYPE DIR); 'hdfs dfs -count -q -t DIR'"
              + " shows it",
          AccessControlException.class.getName(),
          "have its owner give the user of the run the right (hdfs dfs -chmod or -setfacl), or take"
              + " a directory of your own (--data of a run, serv_path of a job)",
          InvalidPathException.class.getName(),
          "give the file another name",
          LIMITS + "PathComponentTooLongException",
          "give the file a shorter name, for until its commit Weir adds '.weir-' and what tells"
              + " attempts apart to it",
          LIMITS + "MaxDirectoryItemsExceededException",
          "let the tasks write to several directories, or have an administrator raise"
              + " dfs.namenode.fs-limits.max-directory-items");

  /** The same where only the words of the NameNode tell it from other troubles. */
  private static final Map<String, String> REFUSING_WORDS =
      Map.of(
          "must both be directories",
          IN_THE_WAY,
          "is a reserved name",
          "give the file or its directory another name",
          "Requested replication factor of",
          "run it with another --replication, or have an administrator change dfs.replication.max"
              + " or dfs.namenode.replication.min");

  /** What NameNodes say when no DataNode takes a block. */
  private static final String NO_DATANODE = "could only be written to 0 of";

  private static final List<String> FULL =
      List.of("No space left on device", "Disk quota exceeded");

  private static final List<String> BROKEN = List.of("Input/output error", "Read-only file system");

  private static final int DEEPEST = 10;

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
    String refusal =
        chain(problem)
            .map(cause -> REFUSALS.get(className(cause)))
            .filter(remedy -> remedy != null)
            .findFirst()
            .orElse(null);
    if (refusal != null) {
      return new Trouble(Result.REFUSED, said + ": " + refusal);
    }
    String wanting =
        chain(problem)
            .flatMap(cause -> REFUSING_WORDS.keySet().stream().filter(message(cause)::contains))
            .findFirst()
            .orElse(null);
    if (wanting != null) {
      return new Trouble(Result.REFUSED, said + ": " + REFUSING_WORDS.get(wanting));
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
    if (chain(problem).anyMatch(cause -> message(cause).contains(NO_DATANODE))) {
      return new Trouble(
          Result.INFRASTRUCTURE,
          said
              + ": HDFS may be full: see 'hdfs dfsadmin -report', and free space or add DataNodes");
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
    return Stream.iterate(problem, cause -> cause != null, Throwable::getCause).limit(DEEPEST);
  }

  private static String className(Throwable problem) {
    return problem instanceof RemoteException remote
        ? remote.getClassName()
        : problem.getClass().getName();
  }

  private static String message(Throwable problem) {
    return String.valueOf(problem.getMessage());
  }

  /** What comes over from a NameNode brings its stack along. */
  static String firstLine(Throwable problem) {
    return message(problem).lines().findFirst().orElse("").strip();
  }
}
