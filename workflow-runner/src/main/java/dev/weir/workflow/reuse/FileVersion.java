package dev.weir.workflow.reuse;

import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;

/**
 * Tells a file from one that took its place: HDFS gives each file a number that no other ever has,
 * and a time to each content.
 *
 * @param inode the file's number in its NameNode
 * @param modified when it was closed, in milliseconds since the epoch
 */
public record FileVersion(long inode, long modified) {

  /**
   * The stamp of a file as a listing shows it.
   *
   * @param file of HDFS
   * @return the stamp; null when the file system has no numbers
   */
  public static @Nullable FileVersion of(FileStatus file) {
    return file instanceof HdfsFileStatus hdfs
        ? new FileVersion(hdfs.getFileId(), file.getModificationTime())
        : null;
  }
}
