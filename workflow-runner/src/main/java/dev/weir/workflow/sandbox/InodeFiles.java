package dev.weir.workflow.sandbox;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accesses files of HDFS by their inode numbers, which a rename preserves. */
public final class InodeFiles {

  private static final Logger LOG = LoggerFactory.getLogger(InodeFiles.class);

  /** The NameNode resolves the number in the same step in which it removes the file. */
  private static final String ROOT = "/.reserved/.inodes/";

  private InodeFiles() {}

  /**
   * Removes a file under its current name. A missing file is no error, and a file that has replaced
   * it stays.
   *
   * @param number of the file, never used for another
   */
  public static void remove(FileSystem fs, long number) throws IOException {
    Path path = new Path(ROOT + number);
    try {
      FileStatus found = fs.getFileStatus(path);
      // A file that only exists in a snapshot resolves to the current owner of its name.
      if (found instanceof HdfsFileStatus known && known.getFileId() == number) {
        boolean removed = fs.delete(path, false);
        LOG.debug("Removed file {}: {}", number, removed);
      }
    } catch (FileNotFoundException e) {
      LOG.debug("File {} no longer exists", number, e);
    }
  }
}
