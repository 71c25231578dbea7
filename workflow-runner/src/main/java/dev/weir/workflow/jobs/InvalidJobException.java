package dev.weir.workflow.jobs;

import java.io.IOException;

/** A job description or an answer is invalid; the message says what to write instead. */
public final class InvalidJobException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * An exception.
   *
   * @param message what is wrong and what to do
   */
  public InvalidJobException(String message) {
    super(message);
  }

  /**
   * An exception.
   *
   * @param message what is wrong and what to do
   */
  public InvalidJobException(String message, Throwable cause) {
    super(message, cause);
  }
}
