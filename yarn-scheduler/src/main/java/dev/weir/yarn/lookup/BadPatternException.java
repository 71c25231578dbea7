package dev.weir.yarn.lookup;

import java.io.FileNotFoundException;

/**
 * A pattern that cannot be read, and so matches nothing. Says nothing of the file system, which is
 * not to be left alone for it.
 */
final class BadPatternException extends FileNotFoundException {
  private static final long serialVersionUID = 1;

  BadPatternException(String message) {
    super(message);
  }
}
