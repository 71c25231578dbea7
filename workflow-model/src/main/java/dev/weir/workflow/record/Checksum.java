package dev.weir.workflow.record;

import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * The checksum of a file's content: CRC32C over all its bytes. HDFS says the same number of a file
 * whose blocks have that type of checksum when {@code dfs.checksum.combine.mode} is {@code
 * COMPOSITE_CRC}, without anybody reading the file.
 */
public final class Checksum {

  /** What stands for a checksum that nobody knows. */
  public static final long UNKNOWN = -1;

  private static final long MASK = 0xFFFF_FFFFL;

  private Checksum() {}

  /**
   * The value of a computation.
   *
   * @param crc has been given all bytes
   * @return 0 to 2<sup>32</sup> - 1
   */
  public static long of(CRC32C crc) {
    return crc.getValue();
  }

  /**
   * Whether a number can be a checksum.
   *
   * @param crc32c the number
   * @return false for {@link #UNKNOWN}
   */
  public static boolean isKnown(long crc32c) {
    return crc32c >= 0;
  }

  /**
   * Checks a number that stands for a checksum.
   *
   * @param crc32c the number
   * @return the same
   * @throws IllegalArgumentException when it is neither 32 bits nor {@link #UNKNOWN}
   */
  public static long require(long crc32c) {
    if (crc32c != UNKNOWN && (crc32c & ~MASK) != 0) {
      throw new IllegalArgumentException(
          crc32c + " is no CRC32C: give 32 bits, or " + UNKNOWN + " where it is not known");
    }
    return crc32c;
  }

  /**
   * As people write it.
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
   * @return the checksum
   * @throws IllegalArgumentException when it is something else
   */
  public static long fromHex(String hex) {
    if (hex.length() != 8) {
      throw new IllegalArgumentException("'" + hex + "' is no CRC32C: give 8 hexadecimal digits");
    }
    return HexFormat.fromHexDigitsToLong(hex);
  }
}
