package dev.weir.workflow.model;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A workflow file or a run record is invalid. The message contains the file, the place and what to
 * do.
 */
public final class WorkflowException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String place;

  /**
   * Creates the exception and its message.
   *
   * @param file the file
   * @param place the place in it, such as a JSON pointer or {@code 3:14}; empty for the whole file
   * @param problem what is wrong, one clause
   * @param remedy what to do, one clause
   * @param cause the cause, or null
   */
  public WorkflowException(
      String file, String place, String problem, String remedy, @Nullable Throwable cause) {
    super(file + (place.isEmpty() ? "" : ": " + place) + ": " + problem + "; " + remedy, cause);
    this.place = place;
  }

  /**
   * Returns the place in the file, such as a JSON pointer or {@code 3:14}; empty for the whole
   * file.
   */
  public String place() {
    return place;
  }
}
