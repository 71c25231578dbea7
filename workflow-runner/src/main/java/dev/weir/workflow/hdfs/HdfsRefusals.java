package dev.weir.workflow.hdfs;

import dev.weir.workflow.text.ErrorMessages;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsDirectoryException;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/** What HDFS does not do, in words and with the remedy. */
public final class HdfsRefusals {

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

  private static final String NO_ROOM =
      "HDFS may be full: see 'hdfs dfsadmin -report', and free space or add DataNodes";

  private static final String SAFE_MODE =
      "wait until 'hdfs dfsadmin -safemode get' says that it is off or, when all DataNodes are"
          + " there, end it by 'hdfs dfsadmin -safemode leave'";

  private static final String AWAY =
      "see whether the NameNode runs, by its log and, of two, by 'hdfs haadmin"
          + " -getAllServiceState'";

  private HdfsRefusals() {}

  /**
   * Whether no other try and no other node would change it.
   *
   * @param problem what HDFS has answered, or what that has caused
   * @return whether only a person can
   */
  public static boolean isForGood(Throwable problem) {
    return remedyForGood(problem) != null;
  }

  /**
   * Whether HDFS cannot do it for now: another try may do, if somebody sees to it.
   *
   * @param problem what HDFS has answered, or what that has caused
   * @return whether it is in safe mode, away or without room
   */
  public static boolean isForNow(Throwable problem) {
    return remedyForNow(problem) != null;
  }

  /**
   * Says what went wrong with a file in HDFS.
   *
   * @param problem what it went wrong with; null when nobody knows
   * @return that, and what a person may do about it where that is known, in one line
   */
  public static String explained(@Nullable Throwable problem) {
    if (problem == null) {
      return "no reason is known";
    }
    String forGood = remedyForGood(problem);
    String remedy = forGood == null ? remedyForNow(problem) : forGood;
    return ErrorMessages.firstLine(problem) + (remedy == null ? "" : ": " + remedy);
  }

  private static @Nullable String remedyForGood(Throwable problem) {
    String refusal =
        ErrorMessages.chain(problem)
            .map(cause -> REFUSALS.get(className(cause)))
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
    if (refusal != null) {
      return refusal;
    }
    return ErrorMessages.chain(problem)
        .map(ErrorMessages::message)
        .flatMap(text -> REFUSING_WORDS.keySet().stream().filter(text::contains))
        .findFirst()
        .map(REFUSING_WORDS::get)
        .orElse(null);
  }

  private static @Nullable String remedyForNow(Throwable problem) {
    if (HdfsOutages.isSafeMode(problem)) {
      return SAFE_MODE;
    }
    if (HdfsOutages.isAway(problem)) {
      return AWAY;
    }
    return ErrorMessages.chain(problem)
            .anyMatch(cause -> ErrorMessages.message(cause).contains(NO_DATANODE))
        ? NO_ROOM
        : null;
  }

  private static String className(Throwable problem) {
    return problem instanceof RemoteException remote
        ? remote.getClassName()
        : problem.getClass().getName();
  }
}
