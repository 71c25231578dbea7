package dev.weir.workflow.record;

/**
 * An input as an attempt read it.
 *
 * @param name id of the file
 * @param crc32c CRC-32C of its content; {@link Checksum#UNKNOWN} if it was not computed
 */
public record ReadFile(String name, long sizeBytes, long crc32c) {

  /**
   * Validates the checksum.
   *
   * @throws IllegalArgumentException if the checksum is invalid
   */
  public ReadFile {
    Checksum.require(crc32c);
  }
}
