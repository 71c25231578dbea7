package dev.weir.workflow.model;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The names of files. A normal id is a relative path: components joined by single slashes, none of
 * them empty, {@code .} or {@code ..}, without colons, which HDFS refuses, and without control
 * characters: HDFS takes these, but lists and logs have a name on a line.
 */
public final class FileIds {

  private static final String RENAME = ": rename the file";

  /** What Linux has, and HDFS unless it is told otherwise; in bytes of UTF-8. */
  private static final int LONGEST_COMPONENT = 255;

  private static final int MOST_BYTES_OF_A_CHAR = 3;

  private FileIds() {}

  /**
   * Makes a normal id of what a workflow file says, {@linkplain #simplify simplified}.
   *
   * @param raw the name as written
   * @return the normal id
   * @throws IllegalArgumentException when no normal id can be made of it; the message says what to
   *     write instead
   */
  public static String normalize(String raw) {
    String id = simplify(raw);
    problem(id)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException("File id '" + raw + "' " + problem);
            });
    return id;
  }

  /**
   * A path without what means nothing in it, so that the same place always has the same name:
   * slashes in front are dropped, so are doubled slashes and {@code .} components.
   *
   * @param raw any text
   * @return the path, which may be empty and need not be one that a file can have
   */
  public static String simplify(String raw) {
    StringBuilder normal = new StringBuilder(raw.length());
    for (String component : raw.split("/", -1)) {
      if (component.isEmpty() || component.equals(".")) {
        continue;
      }
      if (!normal.isEmpty()) {
        normal.append('/');
      }
      normal.append(component);
    }
    return normal.toString();
  }

  /**
   * Where a file of a workflow is.
   *
   * @param directory absolute path of the directory that holds the workflow's files
   * @param id a normal id
   * @return absolute path of the file
   */
  public static String pathIn(String directory, String id) {
    return directory.equals("/") ? "/" + id : directory + "/" + id;
  }

  /**
   * Lets a normal id through.
   *
   * @param id the id to check
   * @throws IllegalArgumentException when it is not normal
   */
  static void requireNormal(String id) {
    if (!id.equals(normalize(id))) {
      throw new IllegalArgumentException(
          "File id '" + id + "' is not in its normal form: write '" + normalize(id) + "'");
    }
  }

  private static Optional<String> problem(String id) {
    if (id.isEmpty()) {
      return Optional.of("names no file: write a relative path such as 'data/part-1'");
    }
    for (String component : id.split("/", -1)) {
      if (component.equals("..")) {
        return Optional.of(
            "leaves the data directory: write a path below it, without '..' components");
      }
      if (isTooLong(component)) {
        return Optional.of(
            "has a component of more than "
                + LONGEST_COMPONENT
                + " bytes, which file systems refuse"
                + RENAME);
      }
    }
    Optional<String> unwritable = PlainText.problem(id);
    if (unwritable.isPresent()) {
      return unwritable.map(problem -> problem + RENAME);
    }
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      if (c == ':') {
        return Optional.of("holds a colon, which HDFS refuses, at offset " + i + RENAME);
      }
      if (Character.isISOControl(c)) {
        return Optional.of(
            "holds a control character, such as a line break, which Weir refuses, at offset "
                + i
                + RENAME);
      }
    }
    return Optional.empty();
  }

  private static boolean isTooLong(String component) {
    // Few are so long that their bytes have to be counted.
    return component.length() > LONGEST_COMPONENT / MOST_BYTES_OF_A_CHAR
        && component.getBytes(StandardCharsets.UTF_8).length > LONGEST_COMPONENT;
  }
}
