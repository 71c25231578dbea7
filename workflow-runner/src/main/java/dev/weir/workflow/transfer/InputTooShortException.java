package dev.weir.workflow.transfer;

import java.io.EOFException;

/** A file ends before the region that a task reads; a retry does not help. */
public final class InputTooShortException extends EOFException {

  private static final long serialVersionUID = 1L;

  public InputTooShortException(String message) {
    super(message);
  }
}
