package dev.weir.cluster.plan;

import java.io.File;
import java.util.List;

/** Looks for programs on the {@code PATH}. */
public final class ProgramLookup {
  private ProgramLookup() {}

  /**
   * Finds the programs that are missing.
   *
   * @param path the directories to search, as in the environment's {@code PATH}; empty entries are
   *     ignored
   * @return the names of the missing programs, in the same order
   */
  public static List<String> missing(List<String> names, String path) {
    return names.stream().filter(name -> !isOn(path, name)).toList();
  }

  /** Finds the programs that are not on this process's {@code PATH}. */
  public static List<String> missing(List<String> names) {
    return missing(names, System.getenv().getOrDefault("PATH", ""));
  }

  /**
   * Describes missing programs and the remedy.
   *
   * @param missing their names, at least one
   * @param install the command that installs them
   * @return two sentences, the second without its full stop so that the command can be copied
   */
  public static String missingMessage(List<String> missing, String install) {
    return "Programs that are not on the PATH: "
        + String.join(", ", missing)
        + ". Install them: "
        + install;
  }

  private static boolean isOn(String path, String name) {
    for (String directory : path.split(File.pathSeparator, -1)) {
      File program = new File(directory, name);
      if (!directory.isEmpty() && program.isFile() && program.canExecute()) {
        return true;
      }
    }
    return false;
  }
}
