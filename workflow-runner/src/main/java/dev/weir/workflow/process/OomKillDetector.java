package dev.weir.workflow.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Counts the kernel's out-of-memory kills on this machine. The kernel counts them for all
 * containers in {@code /proc/vmstat}; before 4.13, or without Linux, the count is always 0.
 * Immutable.
 */
public final class OomKillDetector {

  private static final byte[] COUNTER = "oom_kill ".getBytes(US_ASCII);

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
      // Parsed as bytes, because this runs before each command and decoding two hundred lines
      // takes longer.
      byte[] text = Files.readAllBytes(statistics);
      for (int start = 0; start < text.length; start = lineEnd(text, start) + 1) {
        if (Arrays.mismatch(
                COUNTER,
                0,
                COUNTER.length,
                text,
                start,
                Math.min(start + COUNTER.length, text.length))
            < 0) {
          int from = start + COUNTER.length;
          return Long.parseLong(
              new String(text, from, lineEnd(text, from) - from, US_ASCII).strip());
        }
      }
    } catch (IOException | NumberFormatException e) {
      // Treated like a kernel without the counter.
    }
    return 0;
  }

  private static int lineEnd(byte[] text, int from) {
    int end = from;
    while (end < text.length && text[end] != '\n') {
      end++;
    }
    return end;
  }
}
