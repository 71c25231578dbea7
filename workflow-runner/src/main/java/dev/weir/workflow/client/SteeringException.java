package dev.weir.workflow.client;

import java.io.IOException;

/** A run cannot be viewed or steered. The message says why and what to do. */
public final class SteeringException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Kind kind;

  public enum Kind {
    /** The run, task or log does not exist. */
    NOT_FOUND,
    /** The run belongs to another user. */
    REFUSED,
    /** The ApplicationMaster does not answer. */
    NO_ANSWER,
    /** The run exists, but its state does not allow the request. */
    IMPOSSIBLE
  }

  /**
   * An exception.
   *
   * @param message what is wrong, where, and what to do
   */
  public SteeringException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /**
   * An exception.
   *
   * @param message what is wrong, where, and what to do
   */
  public SteeringException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
