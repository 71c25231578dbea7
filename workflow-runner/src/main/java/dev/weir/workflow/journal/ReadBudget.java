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
 * How much may be read, and how long that may take. What is read counts as it is read, for the
 * length that HDFS tells of a file whose writer was killed may be 0. Not thread-safe.
 */
public final class ReadBudget {

  private static final int MEBI_BITS = 20;
  private static final Clock STANDING = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

  private final Clock clock;
  private final Duration time;
  private final long most;
  private final long began;
  private long left;

  /** Nothing more may be read. */
  public static final class SpentException extends IOException {

    private static final long serialVersionUID = 1L;

    private SpentException(String message) {
      super(message);
    }
  }

  /**
   * An allowance whose time begins now.
   *
   * @param clock is not set meanwhile
   * @param time how long it may take
   * @param bytes how much may be read
   */
  public ReadBudget(Clock clock, Duration time, long bytes) {
    this.clock = clock;
    this.time = time;
    this.most = bytes;
    this.left = bytes;
    this.began = clock.millis();
  }

  /** One that takes as long as it takes. */
  public static ReadBudget ofBytes(long bytes) {
    return new ReadBudget(STANDING, Duration.ofMillis(Long.MAX_VALUE), bytes);
  }

  /** One without bounds. */
  public static ReadBudget unbounded() {
    return ofBytes(Long.MAX_VALUE);
  }

  /** Whether its time is over. */
  public boolean isOver() {
    return clock.millis() - began >= time.toMillis();
  }

  /** Whether so much more may be read. */
  public boolean covers(long bytes) {
    return bytes <= left;
  }

  /** Why nothing more may be read; null when something may. */
  @Nullable public String spent() {
    if (isOver()) {
      return "it takes longer than " + time.toSeconds() + " s";
    }
    return left > 0 ? null : "more than " + (most >> MEBI_BITS) + " MiB are to be read";
  }

  /** Reads a file as far as is allowed, and throws a {@link SpentException} then. */
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
      // That nothing is left is no matter at the very end of a file.
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
