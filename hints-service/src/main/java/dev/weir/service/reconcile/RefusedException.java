package dev.weir.service.reconcile;

import java.io.IOException;

/** The NameNode answered that it will not: asking again will not help, as with a quota. */
final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  RefusedException(String what, Throwable cause) {
    super(what + ": " + cause.getMessage(), cause);
  }
}
