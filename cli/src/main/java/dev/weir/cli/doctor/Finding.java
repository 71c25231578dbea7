package dev.weir.cli.doctor;

import org.jspecify.annotations.Nullable;

/**
 * One finding of a check.
 *
 * @param level the severity
 * @param subject what was checked, such as a daemon
 * @param text the finding, one sentence
 * @param remedy the remedy; empty if none is needed
 * @param step when the remedy is to be applied
 * @param setting the setting that the remedy changes; null if it changes none or its value is not
 *     known
 */
record Finding(
    Level level, String subject, String text, String remedy, Step step, @Nullable Setting setting) {
  /**
   * The order of remedies. A daemon with a setting but without the jars does not start, and neither
   * does a client with {@code fs.hdfs.impl}.
   */
  enum Step {
    /** Copy jars. */
    JARS,
    /** Change settings of daemons. */
    SETTINGS,
    /** Restart daemons. */
    RESTART,
    /** All else. */
    OTHER,
    /** Change settings of clients. */
    CLIENTS
  }

  /**
   * A setting.
   *
   * @param file name of the configuration file
   * @param value the value that it must have
   */
  record Setting(String file, String key, String value) {
    @Override
    public String toString() {
      return file + ": " + key + " = " + value;
    }
  }

  /** Returns a copy whose remedy is applied in a step. */
  Finding in(Step when) {
    return new Finding(level, subject, text, remedy, when, setting);
  }

  /** Returns a copy whose remedy is a setting of a daemon. */
  Finding setting(Setting change) {
    return new Finding(level, subject, text, change.toString(), Step.SETTINGS, change);
  }

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
}
