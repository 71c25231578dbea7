package dev.weir.hints;

/**
 * A hint, rule, pattern, hint set or setting that cannot be used. The message says what is wrong,
 * where, and what to write instead; it is meant to be shown to the person who wrote it.
 */
public class InvalidHintException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * For a fault of the input alone.
   *
   * @param message what is wrong, with the value, and the remedy
   */
  public InvalidHintException(String message) {
    super(message);
  }

  /**
   * For a fault that something below found.
   *
   * @param message what is wrong, with the value, and the remedy
   * @param cause what was thrown below
   */
  public InvalidHintException(String message, Throwable cause) {
    super(message, cause);
  }
}
