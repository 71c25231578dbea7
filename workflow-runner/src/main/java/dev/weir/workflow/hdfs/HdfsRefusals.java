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

/** Explains HDFS's refusals, and how a user can remedy them. */
public final class HdfsRefusals {

  private static final String NAME_TAKEN =
      "another file or directory has the name of the file or of its directory: move it away (hdfs"
          + " dfs -mv), or write to another directory (--data of a run, serv_path of a job)";

  private static final String TOKEN_ENDED =
      "the delegation token has ended: start the run or session again, with --keytab if it takes"
          + " longer than dfs.namenode.delegation.token.max-lifetime";

  /** Compared by name, because clients lack these classes of the NameNode's jar. */
  private static final String LIMITS = "org.apache.hadoop.hdfs.protocol.FSLimitException$";

  /** Permanent refusals, which neither a retry nor another node changes, with their remedies. */
  private static final Map<String, String> REFUSALS =
      Map.of(
          FileAlreadyExistsException.class.getName(),
          NAME_TAKEN,
          PathIsDirectoryException.class.getName(),
          NAME_TAKEN,
          ParentNotDirectoryException.class.getName(),
          NAME_TAKEN,
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
          "have its owner permit the user of the run (hdfs dfs -chmod or -setfacl), or use a"
              + " directory of your own (--data of a run, serv_path of a job)",
          InvalidPathException.class.getName(),
          "give the file another name",
          LIMITS + "PathComponentTooLongException",
          "give the file a shorter name: until its commit Weir appends '.weir-' and the label of"
              + " the attempt",
          LIMITS + "MaxDirectoryItemsExceededException",
          "let the tasks write to several directories, or have an administrator raise"
              + " dfs.namenode.fs-limits.max-directory-items");

  /** Permanent refusals that only the message identifies, with their remedies. */
  private static final Map<String, String> REFUSAL_MESSAGES =
      Map.of(
          "must both be directories",
          NAME_TAKEN,
          "expected renewal time",
          TOKEN_ENDED,
          "can't be found in cache",
          TOKEN_ENDED,
          "is a reserved name",
          "give the file or its directory another name",
          "Requested replication factor of",
          "run it with another --replication, or have an administrator change dfs.replication.max"
              + " or dfs.namenode.replication.min");

  /** The NameNode's message when no DataNode accepts a block. */
  private static final String NO_DATANODE = "could only be written to 0 of";

  private static final String NO_ROOM =
      "HDFS may be full: see 'hdfs dfsadmin -report', and free space or add DataNodes";

  private static final String SAFE_MODE =
      "wait until 'hdfs dfsadmin -safemode get' says that it is off or, when all DataNodes are"
          + " there, end it by 'hdfs dfsadmin -safemode leave'";

  private static final String UNAVAILABLE =
      "see whether the NameNode runs, by its log and, of two, by 'hdfs haadmin"
          + " -getAllServiceState'";

  private HdfsRefusals() {}

  /**
   * Returns whether a failure is permanent: neither a retry nor another node changes it.
   *
   * @param problem HDFS's answer, or an exception caused by it
   */
  public static boolean isPermanent(Throwable problem) {
    return permanentRemedy(problem) != null;
  }

  /**
   * Returns whether a failure is temporary: a retry may succeed, possibly after an administrator's
   * action.
   *
   * @param problem HDFS's answer, or an exception caused by it
   * @return whether HDFS is in safe mode, unavailable or full
   */
  public static boolean isTemporary(Throwable problem) {
    return temporaryRemedy(problem) != null;
  }

  /**
   * Explains a failure in one line, with the remedy where one is known.
   *
   * @param problem the failure; null when it is unknown
   */
  public static String explained(@Nullable Throwable problem) {
    if (problem == null) {
      return "the reason is unknown";
    }
    String permanent = permanentRemedy(problem);
    String remedy = permanent == null ? temporaryRemedy(problem) : permanent;
    return ErrorMessages.firstLine(problem) + (remedy == null ? "" : ": " + remedy);
  }

  private static @Nullable String permanentRemedy(Throwable problem) {
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
        .flatMap(text -> REFUSAL_MESSAGES.keySet().stream().filter(text::contains))
        .findFirst()
        .map(REFUSAL_MESSAGES::get)
        .orElse(null);
  }

  private static @Nullable String temporaryRemedy(Throwable problem) {
    if (HdfsOutages.isSafeMode(problem)) {
      return SAFE_MODE;
    }
    if (HdfsOutages.isUnavailable(problem)) {
      return UNAVAILABLE;
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
