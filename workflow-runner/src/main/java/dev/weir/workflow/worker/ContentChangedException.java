package dev.weir.workflow.worker;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file has another content than when the store was asked for it: ask again. */
final class ContentChangedException extends IOException {

  private static final long serialVersionUID = 1L;

  ContentChangedException(String path, @Nullable Throwable cause) {
    super(path + " was replaced or written to while it was read", cause);
  }
}
