package dev.weir.cluster.plan;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rate of a node's link, the same in both directions.
 *
 * @param bitsPerSecond bits per second; 0 leaves the link unshaped
 */
public record LinkRate(long bitsPerSecond) {
  /** A link without a limit. */
  public static final LinkRate UNLIMITED = new LinkRate(0);

  private static final Pattern PATTERN = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)([a-z]*)");
  private static final Map<String, Long> UNITS =
      Map.of("bit", 1L, "kbit", 1_000L, "mbit", 1_000_000L, "gbit", 1_000_000_000L);
  private static final long MIN = 100_000;
  private static final long MAX = 100_000_000_000L;

  /** The burst of an idle link, in seconds at the link's rate. */
  private static final double BURST_SECONDS = 0.01;

  /** The longest queue, in seconds at the link's rate. */
  private static final double QUEUE_SECONDS = 0.05;

  /** Ten packets. A link with a smaller burst does not reach its rate. */
  private static final long MIN_BURST_BYTES = 16 * 1024;

  /** The buffer that a small switch has per port. Packets are not smaller on slower links. */
  private static final long MIN_QUEUE_BYTES = 128 * 1024;

  public LinkRate {
    if (bitsPerSecond != 0 && (bitsPerSecond < MIN || bitsPerSecond > MAX)) {
      throw new IllegalArgumentException(
          "Link rate of " + bitsPerSecond + " bit/s: write a rate from 100kbit to 100gbit");
    }
  }

  /**
   * Parses a rate: a number with {@code kbit}, {@code mbit} or {@code gbit} (powers of 1000, bits
   * per second), or {@code unlimited}.
   *
   * @param text for instance {@code 200mbit} or {@code 1.5gbit}
   * @throws IllegalArgumentException if the text is not a rate; the message says what to write
   */
  public static LinkRate parse(String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    if (lower.equals("unlimited")) {
      return UNLIMITED;
    }
    Matcher matcher = PATTERN.matcher(lower);
    Long unit = matcher.matches() ? UNITS.get(matcher.group(2)) : null;
    if (unit == null) {
      String remedy =
          lower.endsWith("bps")
              ? "some tools read bps as bytes, others as bits; write bits, as in 200mbit"
              : "write a number with kbit, mbit or gbit, as in 200mbit, or unlimited";
      throw new IllegalArgumentException("Link rate '" + text + "': " + remedy);
    }
    BigDecimal bits = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
    if (bits.compareTo(BigDecimal.valueOf(MIN)) < 0
        || bits.compareTo(BigDecimal.valueOf(MAX)) > 0) {
      throw new IllegalArgumentException(
          "Link rate '" + text + "': write a rate from 100kbit to 100gbit");
    }
    return new LinkRate(bits.longValue());
  }

  public boolean isShaped() {
    return bitsPerSecond > 0;
  }

  /** The burst that an idle link lets through at once, in bytes. */
  public long burstBytes() {
    return Math.max(MIN_BURST_BYTES, bytesIn(BURST_SECONDS));
  }

  /** The longest queue of a link before it drops packets, in bytes. */
  public long queueBytes() {
    return bytesIn(QUEUE_SECONDS) + Math.max(MIN_QUEUE_BYTES, bytesIn(BURST_SECONDS));
  }

  private long bytesIn(double seconds) {
    return (long) (bitsPerSecond / 8.0 * seconds);
  }

  /** Returns the shortest text that {@link #parse} accepts. */
  @Override
  public String toString() {
    if (!isShaped()) {
      return "unlimited";
    }
    for (String unit : new String[] {"gbit", "mbit", "kbit"}) {
      long size = UNITS.getOrDefault(unit, 1L);
      if (bitsPerSecond % size == 0) {
        return bitsPerSecond / size + unit;
      }
    }
    return bitsPerSecond + "bit";
  }
}
