package dev.weir.workflow.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Processes by their numbers, as the kernel tells of them. */
public final class Pids {

  private Pids() {}

  /**
   * Whether a process runs. One that has ended is still there until its parent has asked how, and
   * one whose parent has ended before is left to a parent that may take its time, or never ask.
   */
  public static boolean runs(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      // After its name, which may have brackets and blanks of its own.
      char state = stat.charAt(stat.lastIndexOf(')') + 2);
      return state != 'Z' && state != 'X';
    } catch (IOException e) {
      return false;
    }
  }
}
