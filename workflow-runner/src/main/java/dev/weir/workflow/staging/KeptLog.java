package dev.weir.workflow.staging;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The end of what an attempt's command printed, as it is kept in the run's directory.
 *
 * @param task id of the task
 * @param attempt number of the attempt, from 1
 * @param stream which of the two
 */
public record KeptLog(String task, int attempt, Stream stream) {

  private static final String PREFIX = "log-";

  /** HDFS takes names of 255 bytes; a letter has up to four. */
  private static final int NAME_CHARS = 40;

  private static final Pattern NAME = Pattern.compile("\\.(\\d+)\\.(stdout|stderr)");

  /** What a command prints to. */
  public enum Stream {
    /** Standard output. */
    STDOUT,
    /** Standard error. */
    STDERR;

    /**
     * The ending of names of files.
     *
     * @return {@code stdout} or {@code stderr}
     */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The name of the file in the run's directory.
   *
   * @return the name
   */
  public String fileName() {
    return prefix(task) + "." + attempt + "." + stream.label();
  }

  private static String prefix(String task) {
    // A colon is no letter of a name in HDFS.
    String name = task.replace(':', '_');
    boolean asItIs = name.equals(task) && task.length() <= NAME_CHARS;
    return PREFIX
        + (asItIs
            ? task
            : name.substring(0, Math.min(NAME_CHARS, name.length()))
                + "~"
                + Integer.toHexString(task.hashCode()));
  }

  /**
   * Recognises a file of a task's.
   *
   * @param task id of the task
   * @param fileName name of a file in the run's directory
   * @return what it holds; nothing when it is another task's or no log
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
