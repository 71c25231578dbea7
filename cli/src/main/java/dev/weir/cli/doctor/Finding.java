package dev.weir.cli.doctor;

/**
 * One finding of a check.
 *
 * @param level the severity
 * @param subject what was checked, such as a daemon
 * @param text the finding, one sentence
 * @param remedy the remedy; empty if none is needed
 */
record Finding(Level level, String subject, String text, String remedy) {
  /** The severities, worst last. */
  enum Level {
    /** As it should be. */
    FINE,
    /** Something is slow or disabled, possibly on purpose. */
    NOTE,
    /** The check could not be completed. */
    UNKNOWN,
    /** Hints are not followed. */
    WRONG
  }

  static Finding fine(String subject, String text) {
    return new Finding(Level.FINE, subject, text, "");
  }

  static Finding note(String subject, String text, String remedy) {
    return new Finding(Level.NOTE, subject, text, remedy);
  }

  static Finding unknown(String subject, String text, String remedy) {
    return new Finding(Level.UNKNOWN, subject, text, remedy);
  }

  static Finding wrong(String subject, String text, String remedy) {
    return new Finding(Level.WRONG, subject, text, remedy);
  }
}
