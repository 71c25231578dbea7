package dev.weir.service.locate;

import dev.weir.service.access.CallerFileSystems;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** File systems as one user sees them, with what they were asked counted. */
final class UserFileTrees {
  private final CallerFileSystems callers;
  private final String user;
  private final LongAdder calls = new LongAdder();

  UserFileTrees(CallerFileSystems callers, String user) {
    this.callers = callers;
    this.user = user;
  }

  /** Asks the file system of that authority. */
  <T> T ask(String authority, Question<T> question) throws IOException {
    return callers.ask(
        user, authority, files -> question.of(new CountingFileTree(tree(files), calls)));
  }

  /** How many questions NameNodes were asked. */
  long calls() {
    return calls.sum();
  }

  private static FileTree tree(FileSystem files) {
    return files instanceof DistributedFileSystem hdfs
        ? new HdfsFileTree(hdfs.getClient())
        : new GenericFileTree(files);
  }

  /**
   * What a file system is asked.
   *
   * @param <T> the answer
   */
  @FunctionalInterface
  interface Question<T> {
    /** Asks it. */
    T of(FileTree tree) throws IOException;
  }
}
