package dev.weir.service.locate.files;

import dev.weir.hints.InvalidHintException;
import dev.weir.hints.PathPattern;

/**
 * A path of some file system. No character is special.
 *
 * @param authority the authority of its HDFS; empty for the default file system
 * @param path absolute, in canonical form
 */
public record FilePath(String text, String authority, String path) {

  /**
   * Parses a path.
   *
   * @param text an absolute path in canonical form, or one with {@code hdfs://AUTHORITY} before it
   * @throws InvalidHintException if it is not a path; the message says what to write
   */
  public static FilePath parse(String text) {
    if (text.equals("/")) {
      return new FilePath(text, "", text);
    }
    if (text.indexOf('\0') >= 0) {
      throw new InvalidHintException(
          "'" + text.replace('\0', '?') + "' has a NUL character, which no file name may have");
    }
    PathPattern pattern = PathPattern.literal(text);
    return new FilePath(text, pattern.authority().orElse(""), pattern.literalPrefix());
  }

  /** Returns the parent directory. The parent of the root is the root. */
  String directory() {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? "/" : path.substring(0, slash);
  }

  /** Returns the last component; empty for the root. */
  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
