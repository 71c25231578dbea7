package dev.weir.hints;

/**
 * Names that files have only until they are complete, in the directory and with the beginning of
 * the name that they have afterwards: {@code hdfs dfs -put} writes {@code NAME._COPYING_}, a
 * workflow's task {@code NAME.weir-ATTEMPT}. Blocks are placed under that name, so a hint for the
 * final name has to count for it.
 */
public final class UnfinishedName {
  private static final String SHELL = "._COPYING_";
  private static final String RUNNER = ".weir-";

  private UnfinishedName() {}

  /** The name that the file will have; the path itself when it does not look unfinished. */
  public static String target(String path) {
    return path.substring(0, targetLength(path));
  }

  /**
   * How much of the path is the name that the file will have: all of it when it does not look
   * unfinished.
   */
  static int targetLength(String path) {
    if (path.endsWith(SHELL)) {
      return path.length() - SHELL.length();
    }
    int infix = path.lastIndexOf(RUNNER);
    return infix > path.lastIndexOf('/') + 1 ? infix : path.length();
  }
}
