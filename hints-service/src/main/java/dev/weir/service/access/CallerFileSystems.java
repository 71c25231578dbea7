package dev.weir.service.access;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;

/** File systems as the users see them on whose behalf the service asks. */
public interface CallerFileSystems extends AutoCloseable {
  /** The authority of the file system that paths without one are of. */
  String DEFAULT = "";

  /**
   * Asks a file system as a user. The file system is not to be kept or closed.
   *
   * @param user short name; the service's own asks as itself
   * @param authority of an HDFS such as {@code ns1} or {@code host:8020}; {@link #DEFAULT} for the
   *     default file system
   * @throws dev.weir.service.part.ProblemException when the file system is not known here, or takes
   *     no path of that form
   * @throws IOException of the file system: an access control exception when the user may not, a
   *     file not found exception, and others when it cannot be reached within the bound
   */
  <T> T ask(String user, String authority, Question<T> question) throws IOException;

  /** Asks the default file system. */
  default <T> T ask(String user, Question<T> question) throws IOException {
    return ask(user, DEFAULT, question);
  }

  /** The service's own user. */
  String self();

  /** Lets go of all file systems; a second call does nothing. */
  @Override
  void close();

  /**
   * What a file system is asked.
   *
   * @param <T> the answer
   */
  @FunctionalInterface
  interface Question<T> {
    /** Asks it. */
    T of(FileSystem fileSystem) throws IOException;
  }
}
