package dev.weir.workflow.transfer;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The content of a file changed after the store was asked for it; the caller looks it up again. */
public final class ContentChangedException extends IOException {

  private static final long serialVersionUID = 1L;

  public ContentChangedException(String path, @Nullable Throwable cause) {
    super(path + " was replaced or written to while it was read", cause);
  }
}
