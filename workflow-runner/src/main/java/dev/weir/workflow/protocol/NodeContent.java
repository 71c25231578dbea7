package dev.weir.workflow.protocol;

import dev.weir.workflow.record.StoredFile;
import java.util.List;

/**
 * The content of a file that is not in HDFS but in the store of a node.
 *
 * @param bytes length of the file
 * @param millis when the store got it, in milliseconds since the epoch; 0 for a file in HDFS
 * @param nodes host names of the nodes whose stores have it
 */
public record NodeContent(long bytes, long crc32c, long millis, List<String> nodes) {

  /** That of a file in HDFS. */
  public static final NodeContent NONE = new NodeContent(0, 0, 0, List.of());

  public NodeContent {
    nodes = List.copyOf(nodes);
  }

  /**
   * Returns the content of a file.
   *
   * @param file a committed output
   * @return {@link #NONE} if it is in HDFS
   */
  public static NodeContent of(StoredFile file) {
    return file.onNode()
        ? new NodeContent(
            file.sizeBytes(),
            file.crc32c(),
            file.nodeMillis(),
            List.copyOf(file.bytesByHost().keySet()))
        : NONE;
  }

  /**
   * Returns whether the file is in the store of a node.
   *
   * @return false for a file in HDFS
   */
  public boolean exists() {
    return millis != 0;
  }
}
