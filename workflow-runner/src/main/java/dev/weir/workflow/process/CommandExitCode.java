package dev.weir.workflow.process;

/** Explains the exit codes that are not the command's own. */
public final class CommandExitCode {

  /** A shell's exit code for a program that it cannot execute. */
  private static final int NOT_EXECUTABLE = 126;

  /** A shell's exit code for a program that it does not find. */
  private static final int NOT_FOUND = 127;

  private static final int SIGNALS = 128;

  /** The exit code of a killed command, such as one that the kernel's OOM killer ended. */
  public static final int KILLED = SIGNALS + 9;

  private static final int LAST_SIGNAL = 64;

  private CommandExitCode() {}

  /**
   * Explains how a command ended.
   *
   * @param code its exit code, not 0
   * @param program the started program
   * @param node host name of the node
   * @return one line
   */
  public static String explain(int code, String program, String node) {
    String plain = "the command exited with " + code;
    if (code == CommandScript.CANNOT_START) {
      return plain
          + ", which on "
          + node
          + " also means that its directory or the files for its output cannot be opened";
    }
    if (code == NOT_EXECUTABLE) {
      return plain
          + ": on "
          + node
          + " '"
          + program
          + "', or a program that it calls, cannot be executed: it must be made for this machine"
          + " and executable (chmod +x), and the interpreter in its first line must be there";
    }
    if (code == NOT_FOUND) {
      return plain
          + ": '"
          + program
          + "', or a program that it calls, is not on "
          + node
          + ": install it on all nodes, or make it an input of the task and call it ./NAME";
    }
    if (code > SIGNALS && code <= SIGNALS + LAST_SIGNAL) {
      return plain + ": signal " + (code - SIGNALS) + " ended it";
    }
    return plain;
  }
}
