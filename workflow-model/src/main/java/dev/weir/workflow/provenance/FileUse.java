package dev.weir.workflow.provenance;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The content of a file as an attempt read or wrote it.
 *
 * @param id its name below the run's data directory
 * @param output whether the attempt wrote it; it read it else
 * @param bytes its length; null when nobody has measured it
 * @param crc32c its CRC-32C as eight hexadecimal digits, which is what HDFS calls its COMPOSITE-CRC
 *     checksum; null when nobody has computed it
 */
public record FileUse(String id, boolean output, @Nullable Long bytes, @Nullable String crc32c) {
  private static final Pattern CRC = Pattern.compile("[0-9a-f]{8}");

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when the length is negative or the checksum is none
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
