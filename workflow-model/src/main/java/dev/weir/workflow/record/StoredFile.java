package dev.weir.workflow.record;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * A committed output and its location.
 *
 * @param bytesByHost bytes of the file on each host that holds some of it
 * @param crc32c CRC-32C of its content; {@link Checksum#UNKNOWN} if it was not computed
 * @param extents its blocks, if tasks read regions of it
 * @param fileId the store's number of this file, which a rename does not change and a replacement
 *     does; 0 if unknown
 * @param nodeMillis when the store of its node got it, in milliseconds since the epoch, if only
 *     that node has it; 0 if it is in HDFS
 */
public record StoredFile(
    String name,
    long sizeBytes,
    Map<String, Long> bytesByHost,
    long crc32c,
    List<BlockExtent> extents,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long fileId,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long nodeMillis) {

  /**
   * Validates the checksum and copies the collections.
   *
   * @throws IllegalArgumentException if the checksum is invalid
   */
  public StoredFile {
    bytesByHost = Map.copyOf(bytesByHost);
    Checksum.require(crc32c);
    extents = List.copyOf(extents);
  }

  /** Creates a file in HDFS. */
  public StoredFile(
      String name,
      long sizeBytes,
      Map<String, Long> bytesByHost,
      long crc32c,
      List<BlockExtent> extents,
      long fileId) {
    this(name, sizeBytes, bytesByHost, crc32c, extents, fileId, 0);
  }

  /** Creates a file with an unknown number. */
  public StoredFile(
      String name,
      long sizeBytes,
      Map<String, Long> bytesByHost,
      long crc32c,
      List<BlockExtent> extents) {
    this(name, sizeBytes, bytesByHost, crc32c, extents, 0);
  }

  /** Creates a file of which no task reads regions. */
  public StoredFile(String name, long sizeBytes, Map<String, Long> bytesByHost, long crc32c) {
    this(name, sizeBytes, bytesByHost, crc32c, List.of());
  }

  /** Creates a file with an unknown checksum. */
  public StoredFile(String name, long sizeBytes, Map<String, Long> bytesByHost) {
    this(name, sizeBytes, bytesByHost, Checksum.UNKNOWN);
  }

  /** Returns a copy with another id. */
  public StoredFile named(String other) {
    return new StoredFile(other, sizeBytes, bytesByHost, crc32c, extents, fileId, nodeMillis);
  }

  /** Returns whether only a node's store has it; false if it is in HDFS. */
  public boolean onNode() {
    return nodeMillis != 0;
  }
}
