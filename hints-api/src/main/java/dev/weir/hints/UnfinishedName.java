package dev.weir.hints;

import org.jspecify.annotations.Nullable;

/**
 * Names that files have only until they are complete. Such a file is in the final directory, and
 * its name begins with the final one: {@code hdfs dfs -put} writes {@code NAME._COPYING_}, a
 * workflow's task writes {@code NAME.weir-ATTEMPT}. Blocks are placed under that name, so hints for
 * the final name must apply to it. The regions of a gather, {@code .NAME.weir-gather-ID/part-N},
 * are in a directory beside the final file.
 */
public final class UnfinishedName {
  private static final String SHELL = "._COPYING_";
  private static final String RUNNER = ".weir-";

  /** Separates the name of a gather's file and the id of the gather. */
  public static final String GATHER = ".weir-gather-";

  /** The prefix of a gather's regions. */
  public static final String REGION = "part-";

  private UnfinishedName() {}

  /** The final name of a file; the path itself if it does not look unfinished. */
  public static String target(String path) {
    return path.substring(0, targetLength(path));
  }

  /**
   * The length of the final name within the path; the path's length if it does not look unfinished.
   */
  public static int targetLength(String path) {
    if (path.endsWith(SHELL)) {
      return path.length() - SHELL.length();
    }
    // Most names are short and most paths are long, so only the name is searched.
    int begin = path.lastIndexOf('/') + 2;
    return path.indexOf(RUNNER, begin) < 0 ? path.length() : path.lastIndexOf(RUNNER);
  }

  /** The final file of a gather's region; null if the path is not a region. */
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
