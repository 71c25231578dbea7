package dev.weir.workflow.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks up processes by process id in {@code /proc}. */
public final class Pids {

  private Pids() {}

  /**
   * Returns whether a process runs. A process that has ended keeps its entry until its parent waits
   * for it. If that parent has ended, init or another reaper may do so late or never.
   */
  public static boolean runs(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      // The state follows the name, which may contain brackets and blanks.
      char state = stat.charAt(stat.lastIndexOf(')') + 2);
      return state != 'Z' && state != 'X';
    } catch (IOException e) {
      return false;
    }
  }
}
