package dev.weir.service.access;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;

/** The file systems as seen by the users on whose behalf the service calls them. */
public interface CallerFileSystems extends AutoCloseable {
  /** The authority of the default file system, which paths without an authority belong to. */
  String DEFAULT = "";

  /**
   * Calls a file system as a user. The file system must not be kept or closed.
   *
   * @param user short name; for its own user the service uses no proxy user
   * @param authority of an HDFS, such as {@code ns1} or {@code host:8020}; {@link #DEFAULT} for the
   *     default file system
   * @throws dev.weir.service.part.ProblemException if the file system is not configured, or rejects
   *     the form of the path
   * @throws IOException of the file system: an access control exception if the user lacks the
   *     permission, a file not found exception, and others if it does not answer within the timeout
   */
  <T> T call(String user, String authority, FunctionRaisingIOE<FileSystem, T> operation)
      throws IOException;

  default <T> T call(String user, FunctionRaisingIOE<FileSystem, T> operation) throws IOException {
    return call(user, DEFAULT, operation);
  }

  /** The service's own user. */
  String self();

  /** Closes all file systems. Idempotent. */
  @Override
  void close();
}
