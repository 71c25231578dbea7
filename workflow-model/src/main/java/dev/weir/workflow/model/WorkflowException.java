package dev.weir.workflow.model;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A workflow or a run record that cannot be used. The message holds the file, the place and what to
 * do.
 */
public final class WorkflowException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String place;

  /**
   * Puts the message together.
   *
   * @param file the file
   * @param place where in it, such as a JSON pointer or {@code 3:14}; empty for the whole file
   * @param problem what is wrong, one clause
   * @param remedy what to do, one clause
   * @param cause what brought it to light, or null
   */
  public WorkflowException(
      String file, String place, String problem, String remedy, @Nullable Throwable cause) {
    super(file + (place.isEmpty() ? "" : ": " + place) + ": " + problem + "; " + remedy, cause);
    this.place = place;
  }

  /** Where in the file it is, such as a JSON pointer or {@code 3:14}; empty for the whole file. */
  public String place() {
    return place;
  }
}
