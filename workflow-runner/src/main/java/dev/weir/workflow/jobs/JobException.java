package dev.weir.workflow.jobs;

import java.io.IOException;

/** A session refuses something; the message is the session's own. */
public final class JobException extends IOException {

  private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * An exception.
   *
   * @param status HTTP status code
   * @param message what the session says
   */
  public JobException(int status, String message) {
    super(message);
    this.status = status;
  }

  /**
   * The HTTP status code.
   *
   * @return such as 404 for a job that is not known, 409 for one that cannot be as things are
   */
  public int status() {
    return status;
  }
}
