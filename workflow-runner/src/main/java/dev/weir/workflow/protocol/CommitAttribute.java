package dev.weir.workflow.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;

/**
 * The list of an attempt's outputs, stored as an attribute of the output that is renamed last. The
 * attempt writes it before it renames the first output. While the last one has its temporary name,
 * the commit is incomplete. Once the attempt is over, another process can undo the commit with this
 * list.
 *
 * @param fileIds inode numbers of the files, which renames do not change, in the order of the
 *     renames; the last one is that of the file with the mark
 */
public record CommitAttribute(List<Long> fileIds) {

  /** The extended attribute in HDFS that holds it. */
  public static final String ATTRIBUTE = "user.weir.commit";

  private static final int RADIX = Character.MAX_RADIX;

  public CommitAttribute {
    fileIds = List.copyOf(fileIds);
  }

  /**
   * Encodes the value of the attribute as the differences between successive numbers. HDFS limits
   * values to 16 KiB, and files created together have close numbers.
   */
  public byte[] toBytes() {
    StringBuilder text = new StringBuilder();
    long before = 0;
    for (long id : fileIds) {
      text.append(text.isEmpty() ? "" : " ").append(Long.toString(id - before, RADIX));
      before = id;
    }
    return text.toString().getBytes(US_ASCII);
  }

  /**
   * Parses a value of the attribute.
   *
   * @return the mark
   * @throws IllegalArgumentException if the value is invalid
   */
  public static CommitAttribute parse(byte[] value) {
    String text = new String(value, US_ASCII);
    List<Long> ids = new ArrayList<>();
    long before = 0;
    try {
      for (String difference : text.split(" ", -1)) {
        before += Long.parseLong(difference, RADIX);
        ids.add(before);
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("Cannot parse numbers of files: '" + text + "'", e);
    }
    return new CommitAttribute(ids);
  }
}
