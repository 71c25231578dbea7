package dev.weir.workflow.record;

/**
 * A file as an attempt read or wrote it.
 *
 * @param file its id in the workflow
 * @param bytes its length
 * @param crc32c CRC-32C of its content; {@link Checksum#UNKNOWN} if it was not computed
 */
public record FileRecord(String file, long bytes, long crc32c) {

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if the length is negative or the checksum is invalid
   */
  public FileRecord {
    if (bytes < 0) {
      throw new IllegalArgumentException("The file '" + file + "' has " + bytes + " bytes");
    }
    Checksum.require(crc32c);
  }

  /**
   * Converts an input that a worker has reported.
   *
   * @param read the input
   */
  public static FileRecord of(ReadFile read) {
    return new FileRecord(read.name(), read.sizeBytes(), read.crc32c());
  }

  /**
   * Converts an output that a worker has reported.
   *
   * @param stored the output
   */
  public static FileRecord of(StoredFile stored) {
    return new FileRecord(stored.name(), stored.sizeBytes(), stored.crc32c());
  }

  /**
   * Returns whether the content can be compared with that of other files.
   *
   * @return whether the checksum is known
   */
  public boolean isSummed() {
    return Checksum.isKnown(crc32c);
  }
}
