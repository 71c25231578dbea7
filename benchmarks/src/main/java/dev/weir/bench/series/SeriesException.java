package dev.weir.bench.series;

import java.io.IOException;

/**
 * A series that cannot be begun or gone on with as it was asked for; the message says what to do.
 */
public final class SeriesException extends IOException {
  private static final long serialVersionUID = 1;

  /** With what to do. */
  public SeriesException(String message) {
    super(message);
  }
}
