package dev.weir.service.auto;

import dev.weir.hints.InvalidHintException;
import dev.weir.hints.Quantities;

/**
 * The most bytes of copies beyond the files' minimum.
 *
 * @param share of the free space, 0 to 1; not used if there are bytes
 * @param bytes the limit in bytes; 0 for a share
 */
public record AutoBudget(double share, long bytes) {

  /**
   * Parses {@code 20%} or {@code 10t}.
   *
   * @throws IllegalArgumentException with what to write
   */
  public static AutoBudget parse(String text) {
    try {
      if (!text.endsWith("%")) {
        long bytes = Quantities.bytes(text);
        return new AutoBudget(0, bytes);
      }
      double percent = Double.parseDouble(text.substring(0, text.length() - 1).strip());
      if (percent >= 0 && percent <= 100) {
        return new AutoBudget(percent / 100, 0);
      }
    } catch (NumberFormatException | InvalidHintException e) {
      throw new IllegalArgumentException(remedy(), e);
    }
    throw new IllegalArgumentException(remedy());
  }

  /**
   * Returns the budget in bytes. Bytes are limited to half of the free space.
   *
   * @param free the space that would be free without the copies
   */
  public long of(long free) {
    return bytes > 0 ? Math.min(bytes, free / 2) : (long) (share * free);
  }

  private static String remedy() {
    return "a share of the free space such as 20%, or bytes such as 10t";
  }
}
