package dev.weir.hints.store;

import java.io.IOException;

/** The set exceeds the store's limit. Repeating the call is useless. */
public final class SetTooBigException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception. The message has the size, the limit and a remedy. */
  public SetTooBigException(String message) {
    super(message);
  }
}
