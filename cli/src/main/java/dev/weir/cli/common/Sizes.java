package dev.weir.cli.common;

import java.util.Locale;

/** Formats numbers of bytes. */
public final class Sizes {
  private static final String[] UNITS = {"kB", "MB", "GB", "TB", "PB"};

  private Sizes() {}

  /** Such as {@code 17 B}, {@code 1.5 MB}, {@code 3.0 TB}. */
  public static String of(long bytes) {
    if (bytes < 1000) {
      return bytes + " B";
    }
    double number = bytes / 1e3;
    int unit = 0;
    while (number >= 999.95 && unit < UNITS.length - 1) {
      number /= 1e3;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", number, UNITS[unit]);
  }
}
