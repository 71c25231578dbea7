package dev.weir.workflow.record;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * A committed output and where its bytes are.
 *
 * @param name id of the file
 * @param sizeBytes its size in bytes
 * @param bytesByHost for each host that holds some of it, how many bytes
 * @param crc32c CRC32C of its content; {@link Checksum#UNKNOWN} when it was not computed
 * @param extents its blocks, when tasks read regions of it
 * @param fileId the number that the store has given this file, which it keeps when it is renamed;
 *     another of the same name has another; 0 when it is not known
 */
public record StoredFile(
    String name,
    long sizeBytes,
    Map<String, Long> bytesByHost,
    long crc32c,
    List<BlockExtent> extents,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long fileId) {

  /**
   * Copies and checks.
   *
   * @throws IllegalArgumentException when the checksum is none
   */
  public StoredFile {
    bytesByHost = Map.copyOf(bytesByHost);
    Checksum.require(crc32c);
    extents = List.copyOf(extents);
  }

  /**
   * A file whose number is not known.
   *
   * @param name id of the file
   * @param sizeBytes its size in bytes
   * @param bytesByHost for each host that holds some of it, how many bytes
   * @param crc32c CRC32C of its content; {@link Checksum#UNKNOWN} when it was not computed
   * @param extents its blocks, when tasks read regions of it
   */
  public StoredFile(
      String name,
      long sizeBytes,
      Map<String, Long> bytesByHost,
      long crc32c,
      List<BlockExtent> extents) {
    this(name, sizeBytes, bytesByHost, crc32c, extents, 0);
  }

  /**
   * A file of which nobody reads regions.
   *
   * @param name id of the file
   * @param sizeBytes its size in bytes
   * @param bytesByHost for each host that holds some of it, how many bytes
   * @param crc32c CRC32C of its content; {@link Checksum#UNKNOWN} when it was not computed
   */
  public StoredFile(String name, long sizeBytes, Map<String, Long> bytesByHost, long crc32c) {
    this(name, sizeBytes, bytesByHost, crc32c, List.of());
  }

  /**
   * A file whose content was not summed up.
   *
   * @param name id of the file
   * @param sizeBytes its size in bytes
   * @param bytesByHost for each host that holds some of it, how many bytes
   */
  public StoredFile(String name, long sizeBytes, Map<String, Long> bytesByHost) {
    this(name, sizeBytes, bytesByHost, Checksum.UNKNOWN);
  }
}
