package dev.weir.workflow.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a file, which a task reads instead of all of it, or writes beside other tasks that
 * write the rest. Workflows name it {@code FILE@OFFSET+LENGTH}, and so is the file called that a
 * task has of it in its sandbox.
 *
 * @param file id of the file
 * @param offset where it begins, in bytes from the file's beginning, at least 0
 * @param length how many bytes it has, at least 1
 */
public record FileRegion(String file, long offset, long length) {
  private static final Pattern NAME =
      Pattern.compile("(.+)@(0|[1-9]\\d{0,17})\\+([1-9]\\d{0,17})", Pattern.DOTALL);

  /** What is meant for a region, right or wrong: nobody writes zeros before numbers of bytes. */
  private static final Pattern MEANT =
      Pattern.compile(".*@(0|[1-9]\\d*)\\+(0|[1-9]\\d*)", Pattern.DOTALL);

  /**
   * Checks the name and the numbers.
   *
   * @throws IllegalArgumentException when there can be no such region
   */
  public FileRegion {
    FileIds.requireNormal(file);
    if (offset < 0 || length < 1 || offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException(
          "A region of "
              + length
              + " bytes from byte "
              + offset
              + " of '"
              + file
              + "' cannot be: write FILE@OFFSET+LENGTH with 0 or more and 1 or more bytes");
    }
  }

  /**
   * Reads the name of a region.
   *
   * @param id normal id of a file, or of a region of one
   * @return the region, or empty when the name is that of a file
   */
  public static Optional<FileRegion> parse(String id) {
    // Most names are files'; the expression would cost more than this.
    if (id.lastIndexOf('@') <= 0) {
      return Optional.empty();
    }
    Matcher name = NAME.matcher(id);
    return name.matches()
        ? Optional.of(
            new FileRegion(
                name.group(1), Long.parseLong(name.group(2)), Long.parseLong(name.group(3))))
        : Optional.empty();
  }

  /**
   * Makes a normal id of what a workflow file says a task reads or writes. Names that end as
   * regions do with zeros before a number, such as {@code run@01+2}, are files'.
   *
   * @param raw the name as written
   * @return normal id of a file, or name of a region of one
   * @throws IllegalArgumentException when it is neither, or a region that cannot be; the message
   *     says what to write instead
   */
  public static String normalize(String raw) {
    String id = FileIds.normalize(raw);
    if (id.indexOf('@') >= 0 && MEANT.matcher(id).matches() && parse(id).isEmpty()) {
      throw new IllegalArgumentException(
          "'"
              + id
              + "' is no region of a file: write FILE@OFFSET+LENGTH with numbers of at most 18"
              + " digits and a length of 1 or more, or rename the file");
    }
    return id;
  }

  /**
   * The file that a name is of.
   *
   * @param id normal id of a file, or of a region of one
   * @return the id of the file itself
   */
  public static String fileOf(String id) {
    return parse(id).map(FileRegion::file).orElse(id);
  }

  /**
   * Its name.
   *
   * @return what {@link #parse} reads
   */
  public String id() {
    return file + "@" + offset + "+" + length;
  }

  /**
   * Where it ends.
   *
   * @return the offset of the first byte that is not in it
   */
  public long end() {
    return offset + length;
  }
}
