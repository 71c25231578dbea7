package dev.weir.workflow.transfer;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** A file that should be in the store is no longer readable. */
public final class InputLostException extends IOException {

  private static final long serialVersionUID = 1L;

  public InputLostException(String path, Throwable cause) {
    super(
        (isGone(cause) ? "input lost: " : "input cannot be read now: ")
            + path
            + ": "
            + cause.getMessage(),
        cause);
  }

  /** Returns whether the file no longer exists, rather than being unreachable. */
  boolean isGone() {
    return isGone(getCause());
  }

  private static boolean isGone(@Nullable Throwable cause) {
    return cause instanceof FileNotFoundException || cause instanceof NoSuchFileException;
  }
}
