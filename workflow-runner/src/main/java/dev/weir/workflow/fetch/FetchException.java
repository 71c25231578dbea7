package dev.weir.workflow.fetch;

import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.IOException;

/** A file cannot be fetched. The message has no secret. */
public final class FetchException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Result result;

  /**
   * Creates an exception.
   *
   * @param result {@link Result#REFUSED} if another try cannot succeed, {@link Result#FAILED} if
   *     the content is wrong, {@link Result#INFRASTRUCTURE} if the server or the network failed
   * @param message what is wrong, and the remedy
   */
  FetchException(Result result, String message) {
    super(message);
    this.result = result;
  }

  /** Returns how an attempt of the task that fetches the file ends. */
  public Result result() {
    return result;
  }
}
