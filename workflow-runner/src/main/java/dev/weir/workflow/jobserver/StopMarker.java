package dev.weir.workflow.jobserver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says to the next ApplicationMaster that the pool is to end: an empty file in the staging
 * directory, a further one for each time that somebody wants that. So one can be taken back, and
 * what others have been promised still holds. For any thread; calls block.
 */
public final class StopMarker {

  private static final Logger LOG = LoggerFactory.getLogger(StopMarker.class);

  private final FileSystem fs;
  private final Path directory;
  private final int attempt;
  private final AtomicInteger last = new AtomicInteger();

  /** When a pool is to end. */
  enum When {
    /** When its jobs are done. */
    IDLE("ending-"),
    /** At once. */
    NOW("stopping-");

    private final String prefix;

    When(String prefix) {
      this.prefix = prefix;
    }
  }

  /**
   * The mark of a pool.
   *
   * @param directory its staging directory
   * @param attempt number of the ApplicationMaster that sets it, from 1
   */
  public StopMarker(FileSystem fs, Path directory, int attempt) {
    this.fs = fs;
    this.directory = directory;
    this.attempt = attempt;
  }

  /**
   * Sets it; once is enough.
   *
   * @return takes that back, and blocks; does not fail
   * @throws UncheckedIOException when HDFS does not take it down; then nothing of it stays, as far
   *     as HDFS lets itself be told
   */
  Runnable set(When when) {
    Path file = new Path(directory, when.prefix + attempt + "-" + last.incrementAndGet());
    try {
      fs.createFile(file).overwrite(true).build().close();
    } catch (IOException e) {
      remove(file);
      throw new UncheckedIOException("HDFS does not take down that the pool is to end", e);
    }
    return () -> remove(file);
  }

  private void remove(Path file) {
    try {
      fs.delete(file, false);
    } catch (IOException e) {
      LOG.warn("The next ApplicationMaster will end the pool, for {} cannot be removed", file, e);
    }
  }

  /** Whether it is set, by this ApplicationMaster or by one before. */
  boolean isSet(When when) throws IOException {
    RemoteIterator<FileStatus> files = fs.listStatusIterator(directory);
    while (files.hasNext()) {
      if (files.next().getPath().getName().startsWith(when.prefix)) {
        return true;
      }
    }
    return false;
  }
}
