package dev.weir.workflow.am;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Says to the next ApplicationMaster that the pool is to end: an empty file in the staging
 * directory. For any thread; calls block.
 */
final class EndMark {

  private final FileSystem fs;
  private final Path directory;

  /** When a pool is to end. */
  enum When {
    /** When its jobs are done. */
    IDLE("ending"),
    /** At once. */
    NOW("stopping");

    private final String file;

    When(String file) {
      this.file = file;
    }
  }

  /**
   * The mark of a pool.
   *
   * @param directory its staging directory
   */
  EndMark(FileSystem fs, Path directory) {
    this.fs = fs;
    this.directory = directory;
  }

  /** Sets it; once is enough. */
  void set(When when) {
    try {
      fs.createFile(file(when)).overwrite(true).build().close();
    } catch (IOException e) {
      throw new UncheckedIOException("HDFS does not take down that the pool is to end", e);
    }
  }

  boolean isSet(When when) throws IOException {
    return fs.exists(file(when));
  }

  private Path file(When when) {
    return new Path(directory, when.file);
  }
}
