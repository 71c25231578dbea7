package dev.weir.workflow.record;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An input as an attempt read it.
 *
 * @param crc32c CRC-32C of its content; {@link Checksum#UNKNOWN} if it was not computed
 * @param fromNodes bytes read from the DataNodes of other nodes, by host
 * @param fromCaches bytes read from the caches of other nodes, by host
 */
public record ReadFile(
    String name,
    long sizeBytes,
    long crc32c,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Long> fromNodes,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Long> fromCaches) {

  /**
   * Validates the checksum and copies the maps, which older journals lack.
   *
   * @throws IllegalArgumentException if the checksum is invalid
   */
  public ReadFile {
    Checksum.require(crc32c);
    fromNodes = copy(fromNodes);
    fromCaches = copy(fromCaches);
  }

  /**
   * Creates an input that no other node served.
   *
   * @param crc32c CRC-32C of its content; {@link Checksum#UNKNOWN} if it was not computed
   */
  public ReadFile(String name, long sizeBytes, long crc32c) {
    this(name, sizeBytes, crc32c, Map.of(), Map.of());
  }

  private static Map<String, Long> copy(@Nullable Map<String, Long> bytes) {
    return bytes == null ? Map.of() : Map.copyOf(bytes);
  }

  /** Returns a copy with another id. */
  public ReadFile named(String other) {
    return new ReadFile(other, sizeBytes, crc32c, fromNodes, fromCaches);
  }
}
