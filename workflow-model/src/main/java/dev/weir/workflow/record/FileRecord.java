package dev.weir.workflow.record;

/**
 * A file as an attempt read or wrote it.
 *
 * @param file its id in the workflow
 * @param bytes its length
 * @param crc32c CRC32C of its content; {@link Checksum#UNKNOWN} when it was not computed
 */
public record FileRecord(String file, long bytes, long crc32c) {

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when the length is negative or the checksum none
   */
  public FileRecord {
    if (bytes < 0) {
      throw new IllegalArgumentException("The file '" + file + "' has " + bytes + " bytes");
    }
    Checksum.require(crc32c);
  }

  /**
   * An input as a worker has reported it.
   *
   * @param read the input
   * @return the record
   */
  public static FileRecord of(ReadFile read) {
    return new FileRecord(read.name(), read.sizeBytes(), read.crc32c());
  }

  /**
   * An output as a worker has reported it.
   *
   * @param stored the output
   * @return the record
   */
  public static FileRecord of(StoredFile stored) {
    return new FileRecord(stored.name(), stored.sizeBytes(), stored.crc32c());
  }

  /**
   * Whether the content is known well enough to say that another file has the same.
   *
   * @return whether there is a checksum
   */
  public boolean isSummed() {
    return Checksum.isKnown(crc32c);
  }
}
