package dev.weir.workflow.image;

import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.IOException;

/** A container cannot be run. */
public final class ContainerException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Result result;

  ContainerException(Result result, String message) {
    super(message);
    this.result = result;
  }

  ContainerException(Result result, String message, IOException cause) {
    super(message, cause);
    this.result = result;
  }

  /** Returns the result with which the attempt ends. */
  public Result result() {
    return result;
  }
}
