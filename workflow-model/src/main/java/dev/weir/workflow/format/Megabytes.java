package dev.weir.workflow.format;

import java.util.OptionalLong;

/** Amounts of memory and of disk that workflow files give in MB, of 1,048,576 bytes. */
public final class Megabytes {

  /** What to write where there is no such amount. */
  public static final String REMEDY = "give a number of MB, 0 or more, as a machine has them";

  private static final double MEGABYTE = 1 << 20;

  /** The first number of bytes that no {@code long} holds. */
  private static final double LIMIT = 0x1p63;

  private Megabytes() {}

  /**
   * As bytes.
   *
   * @param megabytes any number
   * @return bytes, rounded up; empty for what is no number, negative or more than can be counted
   */
  public static OptionalLong toBytes(double megabytes) {
    double bytes = Math.ceil(megabytes * MEGABYTE);
    return bytes >= 0 && bytes < LIMIT ? OptionalLong.of((long) bytes) : OptionalLong.empty();
  }
}
