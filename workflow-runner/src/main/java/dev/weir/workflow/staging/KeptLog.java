package dev.weir.workflow.staging;

import java.util.Locale;

/**
 * One of the output streams of an attempt.
 *
 * @param attempt number of the attempt, from 1
 * @param stream standard output or standard error
 */
public record KeptLog(String task, int attempt, Stream stream) {

  /** An output stream of a command. */
  public enum Stream {
    /** Standard output. */
    STDOUT,
    /** Standard error. */
    STDERR;

    /**
     * Returns the suffix of file names.
     *
     * @return {@code stdout} or {@code stderr}
     */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
