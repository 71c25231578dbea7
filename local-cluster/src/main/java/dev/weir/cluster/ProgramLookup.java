package dev.weir.cluster;

import java.io.File;
import java.util.List;

/** Looks for the programs of this machine. */
public final class ProgramLookup {
  private ProgramLookup() {}

  /**
   * Looks for programs as a shell would.
   *
   * @param names of the programs
   * @param path the directories that count, as in the environment's {@code PATH}; an empty one is
   *     none
   * @return the names of those that are not there, in the same order
   */
  public static List<String> missing(List<String> names, String path) {
    return names.stream().filter(name -> !isOn(path, name)).toList();
  }

  /**
   * Says which programs are not there, and what to do.
   *
   * @param missing their names, one at least
   * @param install what to type to get them
   * @return two sentences, the second without its full stop: what is typed may be copied with it
   */
  public static String told(List<String> missing, String install) {
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
