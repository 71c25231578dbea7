package dev.weir.cluster.plan;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

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
   * @param cause the failure that led to this one; null if there is none
   */
  public ClusterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
