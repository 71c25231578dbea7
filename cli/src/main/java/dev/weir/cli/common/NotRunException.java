package dev.weir.cli.common;

import java.io.IOException;

/** A job was not run to its end. */
public final class NotRunException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param cause the reason, with a message for the user
   */
  public NotRunException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
