package dev.weir.workflow.text;

import java.util.Map;
import java.util.Objects;
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
import org.jspecify.annotations.Nullable;

/** What HDFS refuses, in words and with its remedy. */
public final class HdfsRefusals {

  /** What may help when no DataNode takes a block. */
  public static final String NO_ROOM =
      "HDFS may be full: see 'hdfs dfsadmin -report', and free space or add DataNodes";

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

  private static final int DEEPEST = 10;

  private HdfsRefusals() {}

  /**
   * What a person may do about something that no other try and no other node would change.
   *
   * @param problem what HDFS has answered, or what that has caused
   * @return null when it is nothing of that kind
   */
  public static @Nullable String remedy(Throwable problem) {
    String refusal =
        chain(problem)
            .map(cause -> REFUSALS.get(className(cause)))
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
    if (refusal != null) {
      return refusal;
    }
    return chain(problem)
        .flatMap(cause -> REFUSING_WORDS.keySet().stream().filter(message(cause)::contains))
        .findFirst()
        .map(REFUSING_WORDS::get)
        .orElse(null);
  }

  /** Whether no DataNode took a block. */
  public static boolean isWithoutRoom(Throwable problem) {
    return chain(problem).anyMatch(cause -> message(cause).contains(NO_DATANODE));
  }

  /**
   * Says what went wrong with a file in HDFS.
   *
   * @param problem what it went wrong with
   * @return that, and the remedy where one is known, in one line
   */
  public static String explained(Throwable problem) {
    String remedy = isWithoutRoom(problem) ? NO_ROOM : remedy(problem);
    return firstLine(problem) + (remedy == null ? "" : ": " + remedy);
  }

  /** A problem and what caused it, the outermost first. */
  public static Stream<Throwable> chain(Throwable problem) {
    return Stream.iterate(problem, cause -> cause != null, Throwable::getCause).limit(DEEPEST);
  }

  /** What it says, without the stack that comes over from a NameNode. */
  public static String firstLine(Throwable problem) {
    return message(problem).lines().findFirst().orElse("").strip();
  }

  private static String className(Throwable problem) {
    return problem instanceof RemoteException remote
        ? remote.getClassName()
        : problem.getClass().getName();
  }

  private static String message(Throwable problem) {
    return String.valueOf(problem.getMessage());
  }
}
