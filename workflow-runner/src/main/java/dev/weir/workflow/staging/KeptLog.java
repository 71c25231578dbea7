package dev.weir.workflow.staging;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The end of an attempt's output, which is stored in the run's directory.
 *
 * @param task id of the task
 * @param attempt number of the attempt, from 1
 * @param stream standard output or standard error
 */
public record KeptLog(String task, int attempt, Stream stream) {

  private static final String PREFIX = "log-";

  /** HDFS limits names to 255 bytes, and a character has up to four. */
  private static final int NAME_CHARS = 40;

  private static final Pattern NAME = Pattern.compile("\\.(\\d+)\\.(stdout|stderr)");

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

  /**
   * Returns the name of the file in the run's directory.
   *
   * @return the name
   */
  public String fileName() {
    return prefix(task) + "." + attempt + "." + stream.label();
  }

  private static String prefix(String task) {
    // HDFS does not allow colons in names.
    String name = task.replace(':', '_');
    boolean unchanged = name.equals(task) && task.length() <= NAME_CHARS;
    return PREFIX
        + (unchanged
            ? task
            : name.substring(0, Math.min(NAME_CHARS, name.length()))
                + "~"
                + Integer.toHexString(task.hashCode()));
  }

  /**
   * Parses the name of a log of a task.
   *
   * @param task id of the task
   * @param fileName name of a file in the run's directory
   * @return the log; empty if the file is not a log of the task
   */
  public static Optional<KeptLog> parse(String task, String fileName) {
    String prefix = prefix(task);
    if (!fileName.startsWith(prefix)) {
      return Optional.empty();
    }
    Matcher rest = NAME.matcher(fileName.substring(prefix.length()));
    if (!rest.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new KeptLog(
            task,
            Integer.parseInt(rest.group(1)),
            Stream.valueOf(rest.group(2).toUpperCase(Locale.ROOT))));
  }
}
