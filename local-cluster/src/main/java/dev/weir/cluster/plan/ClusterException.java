package dev.weir.cluster.plan;

import java.io.IOException;

/** A failure of a local cluster. The message says what failed and what the user can do about it. */
public class ClusterException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception without a cause.
   *
   * @param message what failed and what to do about it
   */
  public ClusterException(String message) {
    super(message);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param message what failed and what to do about it
   * @param cause the failure that led to this one
   */
  public ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
