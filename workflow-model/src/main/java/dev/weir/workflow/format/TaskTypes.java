package dev.weir.workflow.format;

import java.util.Set;

/** Derives the types of tasks from their programs, for formats without types. */
public final class TaskTypes {

  /** Programs that run another one, which describes the task better. */
  private static final Set<String> INTERPRETERS =
      Set.of("sh", "bash", "python", "python2", "python3", "perl", "Rscript", "ruby", "env");

  private static final String UNKNOWN = "task";

  private TaskTypes() {}

  /**
   * Returns the first program of a shell command.
   *
   * @param command a line for a shell
   * @return the file name of the program, or of the script that it interprets; {@code task} if the
   *     line does not start with a plain program
   */
  public static String of(String command) {
    String interpreter = "";
    for (String word : command.strip().split("\\s+", -1)) {
      if (word.matches("[A-Za-z_][A-Za-z0-9_]*=.*")) {
        continue; // an environment variable
      }
      String name = plain(word);
      if (name.isEmpty()) {
        break;
      }
      if (!INTERPRETERS.contains(name)) {
        return name;
      }
      interpreter = name;
    }
    return interpreter.isEmpty() ? UNKNOWN : interpreter;
  }

  private static String plain(String word) {
    String unquoted = word.replaceAll("^[\"']|[\"';]+$", "");
    String name = unquoted.substring(unquoted.lastIndexOf('/') + 1);
    return name.matches("[A-Za-z0-9][A-Za-z0-9._+-]*") ? name : "";
  }

  static String usableAsId(String type, int number) {
    return type.replaceAll("[/\\p{Cntrl}]", "_") + "-" + number;
  }
}
