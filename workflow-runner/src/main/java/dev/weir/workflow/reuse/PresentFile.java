package dev.weir.workflow.reuse;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file of the workflow that is there now.
 *
 * @param bytes its length
 * @param stamp tells it from one that took its place; null when the file system cannot tell
 * @param bytesByHost for each host that holds some of it, how many bytes
 */
public record PresentFile(long bytes, @Nullable FileVersion stamp, Map<String, Long> bytesByHost) {

  /** Copies. */
  public PresentFile {
    bytesByHost = Map.copyOf(bytesByHost);
  }
}
