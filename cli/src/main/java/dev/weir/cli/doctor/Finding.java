package dev.weir.cli.doctor;

/**
 * One thing that was looked at.
 *
 * @param level how it is
 * @param subject what was looked at, such as a daemon
 * @param text what was found, one sentence
 * @param remedy what to do; empty when there is nothing to do
 */
record Finding(Level level, String subject, String text, String remedy) {
  /** How something is, worst last. */
  enum Level {
    /** As it should be. */
    FINE,
    /** Something works less well than it could, or not at all, and that may be meant. */
    NOTE,
    /** It could not be found out. */
    UNKNOWN,
    /** Hints are not followed because of it. */
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
