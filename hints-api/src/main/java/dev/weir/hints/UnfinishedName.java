package dev.weir.hints;

import org.jspecify.annotations.Nullable;

/**
 * Names that files have only until they are complete. Blocks are placed under such a name, so hints
 * for the final name must apply to it.
 *
 * <ul>
 *   <li>{@code hdfs dfs -put} writes {@code NAME._COPYING_}, a workflow's task writes {@code
 *       NAME.weir-ATTEMPT}.
 *   <li>The regions of a gather are {@code .NAME.weir-gather-ID/part-N}, beside the final file.
 *   <li>MapReduce and Spark write {@code DIR/_temporary/0/_temporary/ATTEMPT/NAME} and keep {@code
 *       DIR/_temporary/0/TASK/NAME} until the job is committed; {@code NAME} may have directories.
 *       With dynamic partitions, Spark has {@code .spark-staging-JOB} before that.
 *   <li>Hive writes {@code DIR/.hive-staging_ID/.../NAME} and may give the file another name later,
 *       so only its directory is certain.
 * </ul>
 *
 * DistCp writes {@code DIR/.distcp.tmp.ATTEMPT}, which says nothing about the final name. Patterns
 * for all files of the directory match it as it is.
 */
public final class UnfinishedName {
  private static final String SHELL = "._COPYING_";
  private static final String RUNNER = ".weir-";
  private static final String TEMPORARY = "_temporary";
  private static final String DISTCP = ".distcp.tmp.";

  /** Separates the name of a gather's file and the id of the gather. */
  public static final String GATHER = ".weir-gather-";

  /** The prefix of a gather's regions. */
  public static final String REGION = "part-";

  private UnfinishedName() {}

  /** The final name of a file; the same object if the path does not look unfinished. */
  public static String target(String path) {
    String gathered = gathered(path);
    if (gathered != null) {
      return gathered;
    }
    String name = withoutSuffix(path);
    for (int slash = 0; slash >= 0; slash = name.indexOf('/', slash + 1)) {
      if (isStaging(name, slash + 1)) {
        return committed(name, slash);
      }
    }
    return name;
  }

  /**
   * Whether DistCp writes the file. DistCp fails if the copy has another block size than the
   * original, because it compares checksums that depend on the block size.
   */
  public static boolean isCopy(String path) {
    return path.startsWith(DISTCP, path.lastIndexOf('/') + 1);
  }

  private static String withoutSuffix(String path) {
    if (path.endsWith(SHELL)) {
      return path.substring(0, path.length() - SHELL.length());
    }
    // Most names are short and most paths are long, so only the name is searched.
    int begin = path.lastIndexOf('/') + 2;
    return path.indexOf(RUNNER, begin) < 0 ? path : path.substring(0, path.lastIndexOf(RUNNER));
  }

  /** The final file of a gather's region; null if the path is not a region. */
  private static @Nullable String gathered(String path) {
    int slash = path.lastIndexOf('/');
    if (!path.startsWith(REGION, slash + 1)) {
      return null;
    }
    int hidden = path.lastIndexOf('/', slash - 1);
    int infix = path.lastIndexOf(GATHER, slash);
    boolean isGather = hidden >= 0 && infix > hidden + 2 && path.charAt(hidden + 1) == '.';
    return isGather ? path.substring(0, hidden + 1) + path.substring(hidden + 2, infix) : null;
  }

  private static boolean isStaging(String path, int begin) {
    if (begin >= path.length()) {
      return false;
    }
    char first = path.charAt(begin);
    return first == '_'
        ? path.startsWith(TEMPORARY + "/", begin)
        : first == '.'
            && (path.startsWith(".hive-staging", begin)
                || path.startsWith(".spark-staging-", begin))
            && path.indexOf('/', begin) > 0;
  }

  /**
   * Removes the directories of a committer.
   *
   * @param end the end of the final directory, which is followed by one of a committer
   */
  private static String committed(String path, int end) {
    StringBuilder target = new StringBuilder(path.length()).append(path, 0, end);
    String before = "";
    int begin = end + 1;
    for (int slash = path.indexOf('/', begin); slash >= 0; slash = path.indexOf('/', begin)) {
      String component = path.substring(begin, slash);
      if (isCommitters(before, component)) {
        before = component;
      } else {
        before = "";
        target.append('/').append(component);
      }
      begin = slash + 1;
    }
    return target.append('/').append(path, nameBegin(path, begin), path.length()).toString();
  }

  /**
   * Whether a directory is a committer's.
   *
   * @param before the directory above if it is a committer's, else empty
   */
  private static boolean isCommitters(String before, String component) {
    boolean isBelowTemporary = before.equals(TEMPORARY);
    return component.equals(TEMPORARY)
        || isStaging(component + "/", 0)
        || isHives(component)
        || (isBelowTemporary && isNumber(component))
        || ((isBelowTemporary || isNumber(before)) && isAttempt(component));
  }

  private static boolean isHives(String component) {
    return component.startsWith("-ext-")
        || component.startsWith("-mr-")
        || component.startsWith("_tmp.-")
        || component.startsWith("-tmp.-")
        || component.startsWith("_task_tmp.-");
  }

  private static boolean isNumber(String component) {
    return !component.isEmpty() && component.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** The attempt of a task, or the output of a task whose attempt was committed. */
  private static boolean isAttempt(String component) {
    int begin = component.startsWith("_") ? 1 : 0;
    return component.startsWith("attempt_", begin) || component.startsWith("task_", begin);
  }

  /** Hive's tasks write {@code _tmp.NAME} or {@code -tmp.NAME}. */
  private static int nameBegin(String path, int begin) {
    boolean isTemporary = path.startsWith("_tmp.", begin) || path.startsWith("-tmp.", begin);
    return isTemporary ? begin + "_tmp.".length() : begin;
  }
}
