package dev.weir.workflow.client;

import java.io.IOException;

/** A run cannot be looked at or steered; the message says why and what to do. */
public final class SteeringException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Kind kind;

  /** What is wrong. */
  public enum Kind {
    /** There is no such run, task or log. */
    NOT_FOUND,
    /** It is another user's. */
    REFUSED,
    /** Nobody answers. */
    AWAY,
    /** It is there, and what is wanted cannot be done with it. */
    IMPOSSIBLE
  }

  /**
   * An exception.
   *
   * @param kind what is wrong
   * @param message what is wrong, where, and what to do
   */
  public SteeringException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /**
   * An exception.
   *
   * @param kind what is wrong
   * @param message what is wrong, where, and what to do
   * @param cause why
   */
  public SteeringException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /**
   * What is wrong.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }
}
