package dev.weir.workflow.session;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The same HDFS, in which something happens just before a file is opened for the first time. */
public final class HdfsWithRace extends DistributedFileSystem {

  private final Path file;
  private final AtomicReference<Deed> deed;

  /** What happens. */
  public interface Deed {
    void run() throws IOException;
  }

  public HdfsWithRace(DistributedFileSystem same, Path file, Deed deed) throws IOException {
    this.file = file;
    this.deed = new AtomicReference<>(deed);
    initialize(same.getUri(), same.getConf());
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    if (path.equals(file)) {
      deed.getAndSet(() -> {}).run();
    }
    return super.open(path, bufferSize);
  }
}
