package dev.weir.workflow.provenance;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The content of a file as an attempt read or wrote it.
 *
 * @param id its path relative to the run's data directory
 * @param output true if the attempt wrote it; false if it read it
 * @param bytes its length; null if not measured
 * @param crc32c its CRC-32C as eight hexadecimal digits, HDFS's COMPOSITE-CRC checksum; null if not
 *     computed
 * @param onNode true if it was committed to its node, not to HDFS; else null
 */
public record FileUse(
    String id,
    boolean output,
    @Nullable Long bytes,
    @Nullable String crc32c,
    @Nullable Boolean onNode) {
  private static final Pattern CRC = Pattern.compile("[0-9a-f]{8}");

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if the length is negative or the checksum is malformed
   */
  public FileUse {
    FileEntry.requireId(id);
    if (bytes != null) {
      ValueChecks.requireCount("bytes", bytes);
    }
    if (crc32c != null && !CRC.matcher(crc32c).matches()) {
      throw new IllegalArgumentException(
          "the checksum of '" + id + "' is '" + crc32c + "'; write eight digits of 0-9a-f");
    }
  }
}
