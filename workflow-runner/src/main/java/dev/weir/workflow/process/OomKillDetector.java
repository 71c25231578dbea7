package dev.weir.workflow.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Counts the kernel's out-of-memory kills on this machine. The kernel counts them for all
 * containers in {@code /proc/vmstat}; before 4.13, or without Linux, the count is always 0.
 * Immutable.
 */
public final class OomKillDetector {

  private static final String COUNTER = "\noom_kill ";

  private final Path statistics;

  /**
   * Creates a detector.
   *
   * @param statistics the kernel's file, with a name and a number a line
   */
  public OomKillDetector(Path statistics) {
    this.statistics = statistics;
  }

  public static OomKillDetector ofThisMachine() {
    return new OomKillDetector(Path.of("/proc/vmstat"));
  }

  /**
   * Returns the number of kills so far. Callers compare two counts, so one caller does not consume
   * a kill for the others.
   */
  public long count() {
    try {
      String text = "\n" + Files.readString(statistics, US_ASCII);
      int at = text.indexOf(COUNTER);
      return at < 0
          ? 0
          : Long.parseLong(
              text.substring(at + COUNTER.length()).lines().findFirst().orElse("").strip());
    } catch (IOException | NumberFormatException e) {
      // Treated like a kernel without the counter.
      return 0;
    }
  }
}
