package dev.weir.workflow.reuse;

import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a version of a file. HDFS gives each file a unique number and each content a
 * modification time.
 *
 * @param inode the file's inode number in its NameNode
 * @param modified modification time in milliseconds since the epoch
 */
public record FileVersion(long inode, long modified) {

  /**
   * Returns the version of a listed file.
   *
   * @return the version; null if the file system has no inode numbers
   */
  public static @Nullable FileVersion of(FileStatus file) {
    return file instanceof HdfsFileStatus hdfs
        ? new FileVersion(hdfs.getFileId(), file.getModificationTime())
        : null;
  }
}
