package dev.weir.workflow.reuse;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file of the workflow that exists in HDFS.
 *
 * @param stamp its version; null if the file system has no versions
 * @param bytesByHost bytes of the file on each host that holds some of it
 */
public record PresentFile(long bytes, @Nullable FileVersion stamp, Map<String, Long> bytesByHost) {

  public PresentFile {
    bytesByHost = Map.copyOf(bytesByHost);
  }
}
