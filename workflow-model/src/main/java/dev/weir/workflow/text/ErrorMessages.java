package dev.weir.workflow.text;

import java.util.Objects;
import java.util.stream.Stream;

/** What went wrong, looked through and put into words. */
public final class ErrorMessages {

  /** Causes may go round in a circle. */
  private static final int DEEPEST = 10;

  private ErrorMessages() {}

  /**
   * A problem and what caused it.
   *
   * @param problem what went wrong
   * @return the problem and its causes, the outermost first
   */
  public static Stream<Throwable> chain(Throwable problem) {
    return Stream.iterate(problem, Objects::nonNull, Throwable::getCause).limit(DEEPEST);
  }

  /**
   * What it says, without the stack that comes over from a NameNode.
   *
   * @param problem what went wrong
   * @return one line; the name of its class where it says nothing
   */
  public static String firstLine(Throwable problem) {
    String said = message(problem).lines().findFirst().orElse("").strip();
    return said.isEmpty() ? problem.getClass().getName() : said;
  }

  /** All of that; empty when it says nothing. */
  public static String message(Throwable problem) {
    String message = problem.getMessage();
    return message == null ? "" : message;
  }
}
