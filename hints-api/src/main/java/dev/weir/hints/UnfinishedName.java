package dev.weir.hints;

import org.jspecify.annotations.Nullable;

/**
 * Names that files have only until they are complete, in the directory and with the beginning of
 * the name that they have afterwards: {@code hdfs dfs -put} writes {@code NAME._COPYING_}, a
 * workflow's task {@code NAME.weir-ATTEMPT}. Blocks are placed under that name, so a hint for the
 * final name has to count for it. The regions of a gather, {@code .NAME.weir-gather-ID/part-N}, lie
 * in a directory beside the file that they will be.
 */
public final class UnfinishedName {
  private static final String SHELL = "._COPYING_";
  private static final String RUNNER = ".weir-";

  /** Stands between the name of a gather's file and the id of the gather. */
  public static final String GATHER = ".weir-gather-";

  /** What the names of a gather's regions begin with. */
  public static final String REGION = "part-";

  private UnfinishedName() {}

  /** The name that the file will have; the path itself when it does not look unfinished. */
  public static String target(String path) {
    return path.substring(0, targetLength(path));
  }

  /**
   * How much of the path is the name that the file will have: all of it when it does not look
   * unfinished.
   */
  public static int targetLength(String path) {
    if (path.endsWith(SHELL)) {
      return path.length() - SHELL.length();
    }
    // Most names are short, most paths are not, and most have nothing of the kind.
    int begin = path.lastIndexOf('/') + 2;
    return path.indexOf(RUNNER, begin) < 0 ? path.length() : path.lastIndexOf(RUNNER);
  }

  /** The file that a region of a gather will be in; null when the path is no such region. */
  public static @Nullable String gathered(String path) {
    int slash = path.lastIndexOf('/');
    if (!path.startsWith(REGION, slash + 1)) {
      return null;
    }
    int hidden = path.lastIndexOf('/', slash - 1);
    int infix = path.lastIndexOf(GATHER, slash);
    boolean isGather = hidden >= 0 && infix > hidden + 2 && path.charAt(hidden + 1) == '.';
    return isGather ? path.substring(0, hidden + 1) + path.substring(hidden + 2, infix) : null;
  }
}
