package dev.weir.service.locate.files;

import dev.weir.service.access.CallerFileSystems;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;

/** The file systems as one user sees them, with a count of the calls. */
public final class UserFileTrees {
  private final CallerFileSystems callers;
  private final String user;
  private final LongAdder calls = new LongAdder();

  public UserFileTrees(CallerFileSystems callers, String user) {
    this.callers = callers;
    this.user = user;
  }

  public <T> T call(String authority, FunctionRaisingIOE<FileTree, T> operation)
      throws IOException {
    return callers.call(
        user, authority, files -> operation.apply(new CountingFileTree(tree(files), calls)));
  }

  /** Returns the number of calls to NameNodes. */
  public long calls() {
    return calls.sum();
  }

  private static FileTree tree(FileSystem files) {
    return files instanceof DistributedFileSystem hdfs
        ? new HdfsFileTree(hdfs.getClient())
        : new GenericFileTree(files);
  }
}
