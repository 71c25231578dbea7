package dev.weir.service.locate.files;

import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import dev.weir.service.part.RequestExecutor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/** The file systems as one user sees them, with a count of the calls. */
public final class UserFileTrees {

  /** The NameNode's default limit of paths in a call ({@code dfs.batched.ls.limit}). */
  private static final int BATCH = 100;

  private final CallerFileSystems callers;
  private final String user;
  private final LongAdder calls = new LongAdder();

  public UserFileTrees(CallerFileSystems callers, String user) {
    this.callers = callers;
    this.user = user;
  }

  /** Receives the results of a look-up, from several threads. */
  public interface Listener {
    void file(FilePath path, FileInfo info);

    /** The file does not exist, or the user may not know of it. */
    void failed(FilePath path, PathFault fault);
  }

  public <T> T call(String authority, FunctionRaisingIOE<FileTree, T> operation)
      throws IOException {
    return callers.call(user, authority, files -> operation.apply(tree(files)));
  }

  /**
   * Looks many paths up at once.
   *
   * @param paths distinct paths
   * @param listener receives each path once
   */
  public void find(Collection<FilePath> paths, RequestExecutor workers, Listener listener)
      throws IOException {
    Map<String, List<FilePath>> byAuthority =
        paths.stream().collect(Collectors.groupingBy(FilePath::authority));
    List<InvocationRaisingIOE> jobs = new ArrayList<>();
    byAuthority.forEach(
        (authority, all) -> {
          for (int from = 0; from < all.size(); from += BATCH) {
            List<FilePath> batch = all.subList(from, Math.min(all.size(), from + BATCH));
            jobs.add(() -> find(authority, batch, listener));
          }
        });
    workers.runAll(jobs);
  }

  private void find(String authority, List<FilePath> batch, Listener listener) throws IOException {
    try {
      boolean unused =
          call(
              authority,
              tree -> {
                tree.find(batch, listener);
                return true;
              });
    } catch (IOException e) {
      PathFault fault = NameNodeErrors.fault(e);
      batch.forEach(path -> listener.failed(path, fault));
    }
  }

  /** Returns the number of calls to NameNodes. */
  public long calls() {
    return calls.sum();
  }

  private FileTree tree(FileSystem files) {
    if (files instanceof DistributedFileSystem hdfs) {
      return new FileTree(hdfs.getClient(), calls);
    }
    throw new ProblemException(
        Problem.invalid(
            "", files.getUri() + " is not HDFS: set fs.defaultFS of the service to an HDFS"));
  }
}
