package dev.weir.service.rest;

import dev.weir.hints.InvalidHintException;
import dev.weir.service.part.ProblemException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns an error of the codec into a problem with a separate field. */
final class InvalidInput {
  /** The name of the input in messages of the codec, which have the form SOURCE: POINTER: FAULT. */
  static final String SOURCE = "body";

  private static final Pattern MESSAGE =
      Pattern.compile(SOURCE + ": (the document|/\\S*): (.*)", Pattern.DOTALL);

  private InvalidInput() {}

  static ProblemException problem(InvalidHintException invalid) {
    String message = String.valueOf(invalid.getMessage());
    Matcher positioned = MESSAGE.matcher(message);
    if (!positioned.matches()) {
      return ProblemException.invalid("", message);
    }
    String pointer = positioned.group(1).startsWith("/") ? positioned.group(1) : "";
    return ProblemException.invalid(pointer, positioned.group(2));
  }
}
