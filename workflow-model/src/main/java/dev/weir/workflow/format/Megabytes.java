package dev.weir.workflow.format;

import java.util.OptionalLong;

/** Converts amounts of memory and disk that workflow files give in MB of 1,048,576 bytes. */
public final class Megabytes {

  /** The remedy for an invalid amount. */
  public static final String REMEDY = "give a realistic number of MB, 0 or more";

  private static final double MEGABYTE = 1 << 20;

  /** The first number of bytes that exceeds {@code long}. */
  private static final double LIMIT = 0x1p63;

  private Megabytes() {}

  /** Converts MB to bytes, rounded up; empty if the number is NaN, negative or too large. */
  public static OptionalLong toBytes(double megabytes) {
    double bytes = Math.ceil(megabytes * MEGABYTE);
    return bytes >= 0 && bytes < LIMIT ? OptionalLong.of((long) bytes) : OptionalLong.empty();
  }
}
