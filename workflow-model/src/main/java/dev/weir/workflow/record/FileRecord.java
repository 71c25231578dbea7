package dev.weir.workflow.record;

import java.util.Map;

/**
 * A file as an attempt read or wrote it.
 *
 * @param file its id in the workflow
 * @param crc32c CRC-32C of its content; {@link Checksum#UNKNOWN} if it was not computed
 * @param nodes of an output: its bytes on each host that held some when it was committed; of an
 *     input: the bytes that the DataNode of each other host served
 * @param caches of an input: the bytes that the cache of each other host served
 * @param onNode of an output: whether it was committed to its node, not to HDFS
 */
public record FileRecord(
    String file,
    long bytes,
    long crc32c,
    Map<String, Long> nodes,
    Map<String, Long> caches,
    boolean onNode) {

  /**
   * Validates the components and copies the maps.
   *
   * @throws IllegalArgumentException if the length is negative or the checksum is invalid
   */
  public FileRecord {
    if (bytes < 0) {
      throw new IllegalArgumentException("The file '" + file + "' has " + bytes + " bytes");
    }
    Checksum.require(crc32c);
    nodes = Map.copyOf(nodes);
    caches = Map.copyOf(caches);
  }

  /**
   * Creates a file whose nodes are unknown.
   *
   * @param file its id in the workflow
   * @param crc32c CRC-32C of its content; {@link Checksum#UNKNOWN} if it was not computed
   */
  public FileRecord(String file, long bytes, long crc32c) {
    this(file, bytes, crc32c, Map.of(), Map.of(), false);
  }

  /** Converts an input that a worker has reported. */
  public static FileRecord of(ReadFile read) {
    return new FileRecord(
        read.name(), read.sizeBytes(), read.crc32c(), read.fromNodes(), read.fromCaches(), false);
  }

  /** Converts an output that a worker has reported. */
  public static FileRecord of(StoredFile stored) {
    return new FileRecord(
        stored.name(),
        stored.sizeBytes(),
        stored.crc32c(),
        stored.bytesByHost(),
        Map.of(),
        stored.onNode());
  }

  /** Returns a copy without the hosts. */
  public FileRecord withoutHosts() {
    return new FileRecord(file, bytes, crc32c, Map.of(), Map.of(), onNode);
  }

  /** Returns whether the checksum is known, so that contents can be compared. */
  public boolean isSummed() {
    return Checksum.isKnown(crc32c);
  }
}
