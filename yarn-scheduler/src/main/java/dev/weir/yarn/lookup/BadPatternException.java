package dev.weir.yarn.lookup;

import java.io.FileNotFoundException;

/**
 * Thrown for a pattern that cannot be parsed and therefore matches nothing. It does not count as a
 * failure of the file system.
 */
final class BadPatternException extends FileNotFoundException {
  private static final long serialVersionUID = 1;

  BadPatternException(String message) {
    super(message);
  }
}
