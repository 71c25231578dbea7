package dev.weir.workflow.protocol;

import java.util.Map;

/**
 * A committed output and where its bytes are.
 *
 * @param name id of the file
 * @param sizeBytes its size in bytes
 * @param bytesByHost for each host that holds some of it, how many bytes
 */
public record StoredFile(String name, long sizeBytes, Map<String, Long> bytesByHost) {

  /** Copies. */
  public StoredFile {
    bytesByHost = Map.copyOf(bytesByHost);
  }
}
