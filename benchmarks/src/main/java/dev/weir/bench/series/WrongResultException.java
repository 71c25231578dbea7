package dev.weir.bench.series;

import java.io.IOException;

/** A run has left other bytes than it should have: no figure of such a series says anything. */
public final class WrongResultException extends IOException {
  private static final long serialVersionUID = 1;

  /** With what is wrong. */
  public WrongResultException(String message) {
    super(message);
  }
}
