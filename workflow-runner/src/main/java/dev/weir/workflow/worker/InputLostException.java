package dev.weir.workflow.worker;

import java.io.IOException;

/** A file that should be in the store cannot be read any more. */
final class InputLostException extends IOException {

  private static final long serialVersionUID = 1L;

  InputLostException(String path, Throwable cause) {
    super("input lost: " + path + ": " + cause.getMessage(), cause);
  }
}
