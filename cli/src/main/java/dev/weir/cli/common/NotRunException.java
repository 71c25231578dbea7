package dev.weir.cli.common;

import java.io.IOException;

/** A command that was to be run elsewhere was not. */
public final class NotRunException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * An exception.
   *
   * @param cause why, in words for a person
   */
  public NotRunException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
