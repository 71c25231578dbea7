package dev.weir.service.rest;

import dev.weir.hints.InvalidHintException;
import dev.weir.service.part.Problem;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the codec refuses, as a problem that names the field apart. */
final class InvalidInput {
  /** What the codec calls the text; its messages are SOURCE: POINTER: FAULT. */
  static final String SOURCE = "body";

  private static final Pattern MESSAGE =
      Pattern.compile(SOURCE + ": (the whole|/\\S*): (.*)", Pattern.DOTALL);

  private InvalidInput() {}

  static Problem problem(InvalidHintException invalid) {
    String message = String.valueOf(invalid.getMessage());
    Matcher placed = MESSAGE.matcher(message);
    if (!placed.matches()) {
      return Problem.invalid("", message);
    }
    String pointer = placed.group(1).startsWith("/") ? placed.group(1) : "";
    return Problem.invalid(pointer, placed.group(2));
  }
}
