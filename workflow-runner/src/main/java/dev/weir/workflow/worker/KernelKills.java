package dev.weir.workflow.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Notices that the kernel of this machine has killed for want of memory. It counts the processes
 * that it kills so, of whatever container, in {@code /proc/vmstat}; a kernel that does not count
 * (before 4.13), or no Linux, kills nobody as far as is known here. Immutable.
 */
final class KernelKills {

  private static final String COUNTER = "oom_kill ";

  private final Path statistics;

  /**
   * A counter.
   *
   * @param statistics the kernel's, by which lines of a name and a number are told
   */
  KernelKills(Path statistics) {
    this.statistics = statistics;
  }

  /** Those of this machine. */
  static KernelKills ofThisMachine() {
    return new KernelKills(Path.of("/proc/vmstat"));
  }

  /**
   * How many there were so far. Whoever wants to know whether some fall into a time compares two of
   * them: what one command sees is not used up for others.
   */
  long count() {
    try {
      for (String line : Files.readAllLines(statistics)) {
        if (line.startsWith(COUNTER)) {
          return Long.parseLong(line.substring(COUNTER.length()).strip());
        }
      }
    } catch (IOException | NumberFormatException e) {
      // As if it did not count.
    }
    return 0;
  }
}
