package dev.weir.bench.series;

import java.io.File;
import java.util.List;
import java.util.Map;

/** Which programs are there. */
public final class OnPath {
  private OnPath() {}

  /**
   * Looks for programs.
   *
   * @param names of the programs
   * @param environment the environment whose {@code PATH} counts
   * @return the names of those that are not there, in the same order
   */
  public static List<String> missing(List<String> names, Map<String, String> environment) {
    String path = environment.getOrDefault("PATH", "");
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
