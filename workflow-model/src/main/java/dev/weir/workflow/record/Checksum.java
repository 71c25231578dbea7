package dev.weir.workflow.record;

import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * The checksum of a file's content: the CRC-32C of all its bytes. HDFS returns the same value
 * without reading the file if its blocks have that type of checksum and {@code
 * dfs.checksum.combine.mode} is {@code COMPOSITE_CRC}.
 */
public final class Checksum {

  /** Stands for an unknown checksum. */
  public static final long UNKNOWN = -1;

  private static final long MASK = 0xFFFF_FFFFL;

  private Checksum() {}

  /**
   * Returns the checksum of a completed computation.
   *
   * @param crc the computation after all bytes
   * @return 0 to 2<sup>32</sup> - 1
   */
  public static long of(CRC32C crc) {
    return crc.getValue();
  }

  /** Returns whether a number is a checksum: not {@link #UNKNOWN}. */
  public static boolean isKnown(long crc32c) {
    return crc32c >= 0;
  }

  /**
   * Validates a checksum.
   *
   * @return the number
   * @throws IllegalArgumentException if it has more than 32 bits and is not {@link #UNKNOWN}
   */
  public static long require(long crc32c) {
    if (crc32c != UNKNOWN && (crc32c & ~MASK) != 0) {
      throw new IllegalArgumentException(
          crc32c + " is not a CRC-32C: give 32 bits, or " + UNKNOWN + " if unknown");
    }
    return crc32c;
  }

  /**
   * Returns the checksum in hexadecimal.
   *
   * @param crc32c a known checksum
   * @return eight hexadecimal digits, lower case
   */
  public static String toHex(long crc32c) {
    return HexFormat.of().toHexDigits(crc32c, 8);
  }

  /**
   * Reads what {@link #toHex} wrote.
   *
   * @param hex eight hexadecimal digits
   * @throws IllegalArgumentException when it is something else
   */
  public static long fromHex(String hex) {
    if (hex.length() != 8) {
      throw new IllegalArgumentException(
          "'" + hex + "' is not a CRC-32C: give 8 hexadecimal digits");
    }
    return HexFormat.fromHexDigitsToLong(hex);
  }
}
