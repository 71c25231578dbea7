package dev.weir.workflow.model;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The ids of files. A normalized id is a relative path. Its components are joined by single
 * slashes, and none is empty, {@code .} or {@code ..}. It contains no colons, which HDFS refuses.
 * It contains no control characters either: HDFS accepts them, but lists and logs have one name per
 * line.
 */
public final class FileIds {

  private static final String RENAME = ": rename the file";

  /** The limit of Linux and the default limit of HDFS, in bytes of UTF-8. */
  private static final int MAX_COMPONENT_BYTES = 255;

  private static final int MAX_BYTES_PER_CHAR = 3;

  private FileIds() {}

  /**
   * Normalizes the name of a file in a workflow file, after {@linkplain #simplify simplifying} it.
   *
   * @param raw the name as written
   * @throws IllegalArgumentException if the name cannot be normalized; the message says what to
   *     write
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
   * Removes redundant parts of a path, so that each file has one name: leading slashes, repeated
   * slashes and {@code .} components.
   *
   * @param raw any text
   * @return the path, which may be empty or invalid as a file name
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
   * Returns the path of a file of a workflow.
   *
   * @param directory absolute path of the directory that holds the workflow's files
   * @param id a normalized id
   * @return absolute path of the file
   */
  public static String pathIn(String directory, String id) {
    return directory.equals("/") ? "/" + id : directory + "/" + id;
  }

  /**
   * Validates an id.
   *
   * @throws IllegalArgumentException if it is not normalized
   */
  static void requireNormal(String id) {
    if (!id.equals(normalize(id))) {
      throw new IllegalArgumentException(
          "File id '" + id + "' is not normalized: write '" + normalize(id) + "'");
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
                + MAX_COMPONENT_BYTES
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
    // Counts bytes only for the few components that may be too long.
    return component.length() > MAX_COMPONENT_BYTES / MAX_BYTES_PER_CHAR
        && component.getBytes(StandardCharsets.UTF_8).length > MAX_COMPONENT_BYTES;
  }
}
