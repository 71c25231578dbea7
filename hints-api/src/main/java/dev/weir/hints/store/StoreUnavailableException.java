package dev.weir.hints.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The store cannot be reached; the call may succeed later. */
public final class StoreUnavailableException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what failed, why, and the remedy
   */
  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
