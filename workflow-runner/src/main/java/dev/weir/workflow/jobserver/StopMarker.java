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
 * Records a stop request for the next ApplicationMaster as an empty file in the staging directory.
 * Each request has its own file, so that one can be withdrawn without the others. Thread-safe;
 * calls block.
 */
public final class StopMarker {

  private static final Logger LOG = LoggerFactory.getLogger(StopMarker.class);

  private final FileSystem fs;
  private final Path directory;
  private final int attempt;
  private final AtomicInteger last = new AtomicInteger();

  /** When a session is to end. */
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
   * Creates the marker of a session.
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
   * Sets the marker.
   *
   * @return removes the marker again; blocks, does not throw
   * @throws UncheckedIOException when the marker cannot be written; then it is removed as far as
   *     possible
   */
  Runnable set(When when) {
    Path file = new Path(directory, when.prefix + attempt + "-" + last.incrementAndGet());
    try {
      fs.createFile(file).overwrite(true).build().close();
    } catch (IOException e) {
      remove(file);
      throw new UncheckedIOException("Cannot record in HDFS that the session is to stop", e);
    }
    return () -> remove(file);
  }

  private void remove(Path file) {
    try {
      fs.delete(file, false);
    } catch (IOException e) {
      LOG.warn("Cannot remove {}: the next ApplicationMaster will stop the session", file, e);
    }
  }

  /** Whether this or an earlier ApplicationMaster has set the marker. */
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
