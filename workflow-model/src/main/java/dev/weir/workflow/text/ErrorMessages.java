package dev.weir.workflow.text;

import java.util.Objects;
import java.util.stream.Stream;

/** Describes exceptions. */
public final class ErrorMessages {

  /** The most causes to follow, because causes may form a cycle. */
  private static final int MAX_CAUSES = 10;

  private ErrorMessages() {}

  /** Returns an exception and its causes, the outermost first. */
  public static Stream<Throwable> chain(Throwable problem) {
    return Stream.iterate(problem, Objects::nonNull, Throwable::getCause).limit(MAX_CAUSES);
  }

  /**
   * Returns the first line of the message, without the stack trace that a NameNode appends.
   *
   * @return one line; the class name if there is no message
   */
  public static String firstLine(Throwable problem) {
    String line = message(problem).lines().findFirst().orElse("").strip();
    return line.isEmpty() ? problem.getClass().getName() : line;
  }

  /** Returns the whole message; empty if there is none. */
  public static String message(Throwable problem) {
    String message = problem.getMessage();
    return message == null ? "" : message;
  }
}
