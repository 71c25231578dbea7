package dev.weir.bench.series;

import java.io.IOException;

/** A series cannot be started or resumed as requested. The message says what to do. */
public final class SeriesException extends IOException {
  private static final long serialVersionUID = 1;

  public SeriesException(String message) {
    super(message);
  }
}
