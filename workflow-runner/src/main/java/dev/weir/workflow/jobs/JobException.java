package dev.weir.workflow.jobs;

import java.io.IOException;

/** A session has refused a request; the message is the session's. */
public final class JobException extends IOException {

  private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * An exception.
   *
   * @param status HTTP status code
   * @param message the session's message
   */
  public JobException(int status, String message) {
    super(message);
    this.status = status;
  }

  /**
   * Returns the HTTP status code.
   *
   * @return such as 404 for an unknown job, 409 for a conflict
   */
  public int status() {
    return status;
  }
}
