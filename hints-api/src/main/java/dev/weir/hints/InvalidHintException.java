package dev.weir.hints;

/**
 * A hint, rule, pattern, hint set or setting is invalid. The message says what is wrong, where, and
 * what to write instead. It is meant for the user who wrote it.
 */
public class InvalidHintException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception for invalid input.
   *
   * @param message what is wrong, with the value, and the remedy
   */
  public InvalidHintException(String message) {
    super(message);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param message what is wrong, with the value, and the remedy
   */
  public InvalidHintException(String message, Throwable cause) {
    super(message, cause);
  }
}
