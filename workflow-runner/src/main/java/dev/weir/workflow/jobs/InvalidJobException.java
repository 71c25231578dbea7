package dev.weir.workflow.jobs;

/** A job description is invalid; the message says what to write instead. */
public final class InvalidJobException extends Exception {

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
