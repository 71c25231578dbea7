package dev.weir.workflow.journal;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Limits the number of bytes that may be read, and the time. Bytes count as they are read, because
 * HDFS may report length 0 for a file whose writer was killed. Not thread-safe.
 */
public final class ReadBudget {

  private static final int MEBI_BITS = 20;
  private static final Clock STOPPED = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

  private final Clock clock;
  private final Duration time;
  private final long maxBytes;
  private final long began;
  private long left;

  public static final class SpentException extends IOException {

    private static final long serialVersionUID = 1L;

    private SpentException(String message) {
      super(message);
    }
  }

  /**
   * Creates a budget whose time starts now.
   *
   * @param clock must not be set meanwhile
   * @param time the time limit
   * @param bytes how many bytes may be read
   */
  public ReadBudget(Clock clock, Duration time, long bytes) {
    this.clock = clock;
    this.time = time;
    this.maxBytes = bytes;
    this.left = bytes;
    this.began = clock.millis();
  }

  /** Returns a budget without a time limit. */
  public static ReadBudget ofBytes(long bytes) {
    return new ReadBudget(STOPPED, Duration.ofMillis(Long.MAX_VALUE), bytes);
  }

  /** Returns a budget without limits. */
  public static ReadBudget unbounded() {
    return ofBytes(Long.MAX_VALUE);
  }

  public boolean isOver() {
    return clock.millis() - began >= time.toMillis();
  }

  /** Returns whether this number of bytes may still be read. */
  public boolean covers(long bytes) {
    return bytes <= left;
  }

  /** Returns why no more may be read; null while more may. */
  @Nullable public String spent() {
    if (isOver()) {
      return "it takes longer than " + time.toSeconds() + " s";
    }
    return left > 0 ? null : "more than " + (maxBytes >> MEBI_BITS) + " MiB are to be read";
  }

  /** Returns a stream that throws a {@link SpentException} once the budget is spent. */
  public InputStream metered(InputStream file) {
    return new Metered(file);
  }

  private final class Metered extends FilterInputStream {

    Metered(InputStream file) {
      super(file);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (isOver()) {
        throw new SpentException(String.valueOf(spent()));
      }
      // An empty budget does not matter at the end of a file.
      int read = in.read(bytes, offset, (int) Math.min(length, Math.max(left, 1)));
      if (read > left) {
        left = 0;
        throw new SpentException(String.valueOf(spent()));
      }
      left -= Math.max(read, 0);
      return read;
    }
  }
}
