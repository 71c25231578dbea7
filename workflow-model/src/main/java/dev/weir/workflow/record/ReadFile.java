package dev.weir.workflow.record;

/**
 * An input as an attempt found it.
 *
 * @param name id of the file
 * @param sizeBytes its size in bytes
 * @param crc32c CRC32C of its content; {@link Checksum#UNKNOWN} when it was not computed
 */
public record ReadFile(String name, long sizeBytes, long crc32c) {

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when the checksum is none
   */
  public ReadFile {
    Checksum.require(crc32c);
  }
}
