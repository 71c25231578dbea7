package dev.weir.workflow.transfer;

import java.io.EOFException;

/** A file ends before the region of it does that a task is to read: no other try changes that. */
public final class InputTooShortException extends EOFException {

  private static final long serialVersionUID = 1L;

  public InputTooShortException(String message) {
    super(message);
  }
}
