package dev.weir.cluster;

import java.io.File;
import java.util.List;

/** Looks for the programs of this machine. */
public final class OnPath {
  private OnPath() {}

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
