package dev.weir.workflow.sandbox;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Files of HDFS by their numbers, which stay when they are renamed. */
public final class NumberedFiles {

  private static final Logger LOG = LoggerFactory.getLogger(NumberedFiles.class);

  /** The NameNode finds the file itself, in the same step in which it removes it. */
  private static final String ROOT = "/.reserved/.inodes/";

  private NumberedFiles() {}

  /**
   * Removes a file, whatever its name is by now. One that is gone is no error, and what another has
   * put in its place stays.
   *
   * @param fs where it is
   * @param number of the file, never used for another
   * @throws IOException when it cannot be removed now
   */
  public static void remove(FileSystem fs, long number) throws IOException {
    Path path = new Path(ROOT + number);
    try {
      FileStatus found = fs.getFileStatus(path);
      // One that is left in a snapshot only leads to whatever has its name now.
      if (found instanceof HdfsFileStatus known && known.getFileId() == number) {
        boolean removed = fs.delete(path, false);
        LOG.debug("The file {} is taken back: {}", number, removed);
      }
    } catch (FileNotFoundException e) {
      LOG.debug("The file {} is gone", number, e);
    }
  }
}
