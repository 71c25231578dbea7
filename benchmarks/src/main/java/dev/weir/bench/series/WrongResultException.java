package dev.weir.bench.series;

import java.io.IOException;

/** A run has written wrong bytes. No figure of the series is valid. */
public final class WrongResultException extends IOException {
  private static final long serialVersionUID = 1;

  public WrongResultException(String message) {
    super(message);
  }
}
