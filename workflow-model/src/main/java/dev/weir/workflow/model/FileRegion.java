package dev.weir.workflow.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A region of a file. A task reads it instead of the whole file, or writes it while other tasks
 * write the rest. Its name in workflows and in the sandbox is {@code FILE@OFFSET+LENGTH}.
 *
 * @param offset its start in the file in bytes, at least 0
 * @param length its length in bytes, at least 1
 */
public record FileRegion(String file, long offset, long length) {
  private static final Pattern NAME =
      Pattern.compile("(.+)@(0|[1-9]\\d{0,17})\\+([1-9]\\d{0,17})", Pattern.DOTALL);

  /** Names that are meant as regions, valid or not. Numbers with leading zeros are not. */
  private static final Pattern MEANT =
      Pattern.compile(".*@(0|[1-9]\\d*)\\+(0|[1-9]\\d*)", Pattern.DOTALL);

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if the region is impossible
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
              + "' is impossible: write FILE@OFFSET+LENGTH with an offset of 0 or more and a"
              + " length of 1 or more");
    }
  }

  /**
   * Parses the name of a region.
   *
   * @param id normalized id of a file or of a region
   * @return the region; empty for the id of a file
   */
  public static Optional<FileRegion> parse(String id) {
    // Fast path, because most names are those of files.
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
   * Normalizes the name of a file or region in a workflow file. Names like those of regions with
   * leading zeros, such as {@code run@01+2}, are names of files.
   *
   * @param raw the name as written
   * @throws IllegalArgumentException if it is neither, or an impossible region; the message says
   *     what to write
   */
  public static String normalize(String raw) {
    String id = FileIds.normalize(raw);
    if (id.indexOf('@') >= 0 && MEANT.matcher(id).matches() && parse(id).isEmpty()) {
      throw new IllegalArgumentException(
          "'"
              + id
              + "' is not a region of a file: write FILE@OFFSET+LENGTH with numbers of at most 18"
              + " digits and a length of 1 or more, or rename the file");
    }
    return id;
  }

  /**
   * Returns the file of a name.
   *
   * @param id normalized id of a file or of a region
   * @return the id of the file itself
   */
  public static String fileOf(String id) {
    return parse(id).map(FileRegion::file).orElse(id);
  }

  /** Returns its name, which {@link #parse} reads. */
  public String id() {
    return file + "@" + offset + "+" + length;
  }

  /** Returns the offset of the first byte after it. */
  public long end() {
    return offset + length;
  }
}
