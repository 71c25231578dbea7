package dev.weir.workflow.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Notices that the kernel of this machine has killed for want of memory. It counts the processes
 * that it kills so, of whatever container, in {@code /proc/vmstat}; a kernel that does not count
 * (before 4.13), or no Linux, kills nobody as far as is known here. Immutable.
 */
public final class OomKillDetector {

  private static final byte[] COUNTER = "oom_kill ".getBytes(US_ASCII);

  private final Path statistics;

  /**
   * A counter.
   *
   * @param statistics the kernel's, by which lines of a name and a number are told
   */
  public OomKillDetector(Path statistics) {
    this.statistics = statistics;
  }

  /** Those of this machine. */
  public static OomKillDetector ofThisMachine() {
    return new OomKillDetector(Path.of("/proc/vmstat"));
  }

  /**
   * How many there were so far. Whoever wants to know whether some fall into a time compares two of
   * them: what one command sees is not used up for others.
   */
  public long count() {
    try {
      // Before each command: as bytes, for the text of two hundred lines takes longer to make.
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
      // As if it did not count.
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
