package dev.weir.hints.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The store cannot be reached now; the same call may succeed later. */
public final class StoreUnavailableException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * What cannot be done, why, and what to do about it.
   *
   * @param cause why, if an exception says so
   */
  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
