package dev.weir.workflow.staging;

import java.io.IOException;

/** A run cannot be started or awaited. The message says what to do. */
public final class RunException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * An exception.
   *
   * @param message what is wrong, where, and what to do
   */
  public RunException(String message) {
    super(message);
  }

  /**
   * An exception.
   *
   * @param message what is wrong, where, and what to do
   */
  public RunException(String message, Throwable cause) {
    super(message, cause);
  }
}
