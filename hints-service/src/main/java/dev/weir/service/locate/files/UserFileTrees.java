package dev.weir.service.locate.files;

import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.part.ProblemException;
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
    return callers.call(user, authority, files -> operation.apply(tree(files)));
  }

  /** Returns the number of calls to NameNodes. */
  public long calls() {
    return calls.sum();
  }

  private FileTree tree(FileSystem files) {
    if (files instanceof DistributedFileSystem hdfs) {
      return new HdfsFileTree(hdfs.getClient(), calls);
    }
    throw ProblemException.invalid(
        "", files.getUri() + " is not HDFS; only files in HDFS are located");
  }
}
