package dev.weir.workflow.am;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Says to the next ApplicationMaster that the pool is to end when its jobs are done: an empty file
 * in the staging directory. For any thread; calls block.
 */
final class EndMark {

  private static final String NAME = "ending";

  private final FileSystem fs;
  private final Path file;

  /**
   * The mark of a pool.
   *
   * @param directory its staging directory
   */
  EndMark(FileSystem fs, Path directory) {
    this.fs = fs;
    this.file = new Path(directory, NAME);
  }

  /** Sets it; once is enough. */
  void set() {
    try {
      fs.createFile(file).overwrite(true).build().close();
    } catch (IOException e) {
      throw new UncheckedIOException("HDFS does not take down that the pool is to end", e);
    }
  }

  boolean isSet() throws IOException {
    return fs.exists(file);
  }
}
