package dev.weir.cli.common;

import static java.util.stream.Collectors.joining;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;

/** Formats an exception for the user, without its stack trace. */
final class OneLine {
  private static final String TRACE = "\tat ";

  private OneLine() {}

  /**
   * Returns the message of a failure, or its class if it has none. Removes the server's stack
   * trace, which messages of remote exceptions contain, even after the client has unwrapped them.
   * Weir's own messages may have several lines (file, place, remedy) and keep them.
   */
  static String of(Throwable failure) {
    @Nullable String message = failure.getMessage();
    if (message == null || message.isBlank()) {
      Throwable cause = failure.getCause();
      String kind = failure.getClass().getSimpleName();
      return cause == null ? kind + " (--verbose shows where)" : kind + ": " + of(cause);
    }
    if (failure instanceof FileSystemException file && file.getReason() == null) {
      return message + ": " + problem(file);
    }
    return failure instanceof RemoteException
        ? message.lines().findFirst().orElse("")
        : withoutTrace(message);
  }

  /** Their messages are no more than the names of the files. */
  private static String problem(FileSystemException file) {
    if (file instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (file instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (file instanceof NotDirectoryException) {
      return "is no directory";
    }
    return file instanceof FileAlreadyExistsException
        ? "is there already"
        : file.getClass().getSimpleName();
  }

  private static String withoutTrace(String message) {
    return message.contains(TRACE)
        ? message.lines().takeWhile(line -> !line.startsWith(TRACE)).collect(joining("\n"))
        : message;
  }
}
