package dev.weir.cli;

import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;

/** An exception told to a person: what went wrong, without the place in our code. */
final class OneLine {
  private OneLine() {}

  /**
   * The message of a failure, or its kind where it has none. A remote exception brings the server's
   * stack trace in its message: only its first line is kept. Our own messages may have several
   * lines (file, place, remedy) and keep them.
   */
  static String of(Throwable failure) {
    @Nullable String message = failure.getMessage();
    if (message == null || message.isBlank()) {
      Throwable cause = failure.getCause();
      String kind = failure.getClass().getSimpleName();
      return cause == null ? kind + " (--verbose shows where)" : kind + ": " + of(cause);
    }
    return failure instanceof RemoteException ? message.lines().findFirst().orElse("") : message;
  }
}
