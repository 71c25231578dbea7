package dev.weir.workflow.session;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** An HDFS client that runs an action just before it opens a file for the first time. */
public final class OpenHookFileSystem extends DistributedFileSystem {

  private final Path file;
  private final AtomicReference<Action> action;

  /** The action. */
  public interface Action {
    void run() throws IOException;
  }

  public OpenHookFileSystem(DistributedFileSystem same, Path file, Action action)
      throws IOException {
    this.file = file;
    this.action = new AtomicReference<>(action);
    initialize(same.getUri(), same.getConf());
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    if (path.equals(file)) {
      action.getAndSet(() -> {}).run();
    }
    return super.open(path, bufferSize);
  }
}
