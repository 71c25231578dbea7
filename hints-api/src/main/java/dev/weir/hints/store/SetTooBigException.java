package dev.weir.hints.store;

import java.io.IOException;

/** The store takes no set so big; the same call will not succeed later either. */
public final class SetTooBigException extends IOException {
  private static final long serialVersionUID = 1L;

  /** How big it is, what the bound is, and what to do about it. */
  public SetTooBigException(String message) {
    super(message);
  }
}
