package dev.weir.workflow.staging;

import java.io.IOException;

/** A run cannot be started or awaited. The message says what to do. */
public final class RunException extends IOException {

  private static final long serialVersionUID = 1L;

  public RunException(String message) {
    super(message);
  }

  public RunException(String message, Throwable cause) {
    super(message, cause);
  }
}
