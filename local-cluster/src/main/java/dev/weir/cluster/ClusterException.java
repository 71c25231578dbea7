package dev.weir.cluster;

import java.io.IOException;

/** What went wrong with a local cluster, told in words a person can act on. */
public class ClusterException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * A failure without a cause of its own.
   *
   * @param message what failed and what to do about it
   */
  public ClusterException(String message) {
    super(message);
  }

  /**
   * A failure that another one led to.
   *
   * @param message what failed and what to do about it
   * @param cause where it came from
   */
  public ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
