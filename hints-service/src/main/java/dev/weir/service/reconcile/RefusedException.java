package dev.weir.service.reconcile;

import java.io.IOException;

/**
 * The NameNode refused a request permanently, for instance because of a quota. A retry would fail
 * too.
 */
final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  RefusedException(String what, Throwable cause) {
    super(what + ": " + cause.getMessage(), cause);
  }
}
